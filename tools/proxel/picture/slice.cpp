#include "picture/slice.hpp"

#include "failure.hpp"
#include "picture/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cli {
namespace {

// Bilinear between the values, which lie in the middles of their cells. `u` and `v` run from 0 to 1, v upwards.
float value_at(const Slice& slice, float u, float v) {
    const float x =
        std::clamp(u * static_cast<float>(slice.columns) - 0.5f, 0.0f, static_cast<float>(slice.columns - 1));
    const float y = std::clamp(v * static_cast<float>(slice.rows) - 0.5f, 0.0f, static_cast<float>(slice.rows - 1));
    const int column = std::min(static_cast<int>(x), std::max(slice.columns - 2, 0));
    const int row = std::min(static_cast<int>(y), std::max(slice.rows - 2, 0));
    const float tx = x - static_cast<float>(column);
    const float ty = y - static_cast<float>(row);
    const auto value = [&](int c, int r) {
        const int inside_c = std::min(c, slice.columns - 1);
        const int inside_r = std::min(r, slice.rows - 1);
        return slice.values[static_cast<std::size_t>(inside_r) * static_cast<std::size_t>(slice.columns) +
                            static_cast<std::size_t>(inside_c)];
    };
    const float lower = value(column, row) * (1.0f - tx) + value(column + 1, row) * tx;
    const float upper = value(column, row + 1) * (1.0f - tx) + value(column + 1, row + 1) * tx;
    return lower * (1.0f - ty) + upper * ty;
}

float largest_magnitude(const Slice& slice) {
    float largest = 0.0f;
    for (const float v : slice.values) {
        if (std::isfinite(v)) largest = std::max(largest, std::fabs(v));
    }
    return largest > 0.0f ? largest : 1.0f;
}

std::string short_number(float value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 3).ptr;
    return std::string(text, end);
}

// How much of a pixel a line of this half width covers, where the value is `off` from the line's and changes by
// `slope` a pixel.
float line_coverage(float off, float slope, float half_width) {
    return slope > 0.0f ? std::clamp(half_width + 0.5f - std::fabs(off) / slope, 0.0f, 1.0f) : 0.0f;
}

void draw_field(const Slice& slice, Image& image, Rectangle where, float range, float line_width) {
    const float step = contour_step(range);
    const auto at = [&](float x, float y) {
        return value_at(slice, x / static_cast<float>(where.width), 1.0f - y / static_cast<float>(where.height));
    };
    for (int y = 0; y < where.height; ++y) {
        for (int x = 0; x < where.width; ++x) {
            const float px = static_cast<float>(x) + 0.5f;
            const float py = static_cast<float>(y) + 0.5f;
            const float value = at(px, py);
            if (!std::isfinite(value)) {
                image.set(where.x + x, where.y + y, hex(0xe4e7eb));
                continue;
            }
            const float slope =
                std::hypot(at(px + 0.5f, py) - at(px - 0.5f, py), at(px, py + 0.5f) - at(px, py - 0.5f));
            const float nearest = step * std::round(value / step);
            image.set(where.x + x, where.y + y, tint(value, range));
            if (nearest != 0.0f) {
                image.blend(where.x + x, where.y + y, palette::ink,
                            0.4f * line_coverage(value - nearest, slope, 0.4f * line_width));
            }
            image.blend(where.x + x, where.y + y, palette::ink, line_coverage(value, slope, 1.3f * line_width));
        }
    }
}

// The axes' names where the axes end, and a frame where the field does.
void draw_frame(const Slice& slice, Image& image, Rectangle where, float letter) {
    for (int x = 0; x < where.width; ++x) {
        image.blend(where.x + x, where.y, palette::ink, 0.35f);
        image.blend(where.x + x, where.y + where.height - 1, palette::ink, 0.35f);
    }
    for (int y = 1; y + 1 < where.height; ++y) {
        image.blend(where.x, where.y + y, palette::ink, 0.35f);
        image.blend(where.x + where.width - 1, where.y + y, palette::ink, 0.35f);
    }
    draw_text(image, slice.right,
              static_cast<float>(where.x + where.width) - text_width(slice.right, letter) - 0.8f * letter,
              static_cast<float>(where.y + where.height) - 0.8f * letter, letter, palette::ink);
    draw_text(image, slice.up, static_cast<float>(where.x) + 0.8f * letter, static_cast<float>(where.y) + 1.8f * letter,
              letter, palette::ink);
}

} // namespace

Colour diverging_colour(float t) {
    t = std::clamp(t, -1.0f, 1.0f);
    const float m = std::fabs(t);
    const float hue = t < 0.0f ? 0.95f : 4.45f; // in OKLab's plane: amber, blue
    const float chroma = 0.135f * m * (1.6f - 0.6f * m);
    return from_oklab({0.985f - 0.46f * m, chroma * std::cos(hue), chroma * std::sin(hue)});
}

Colour tint(float value, float range) {
    const float step = contour_step(range);
    const float middle = (std::floor(std::fabs(value) / step) + 0.5f) * step;
    return diverging_colour(std::copysign(middle, value) / range);
}

float contour_step(float range) {
    const float rough = range / 12.0f;
    const float power = std::pow(10.0f, std::floor(std::log10(rough)));
    for (const float factor : {1.0f, 2.0f, 5.0f}) {
        if (rough <= factor * power * 1.2f) return factor * power;
    }
    return 10.0f * power;
}

void draw_scale(const Scale& scale, Image& image, Rectangle where, float letter) {
    const float range = scale.range;
    const auto label = [&](float value, float y) {
        draw_text(image, short_number(value), static_cast<float>(where.x + where.width) + letter, y, letter,
                  palette::faint_ink);
    };
    for (int y = 0; y < where.height; ++y) {
        const float t = 1.0f - 2.0f * (static_cast<float>(y) + 0.5f) / static_cast<float>(where.height);
        for (int x = 0; x < where.width; ++x) image.set(where.x + x, where.y + y, tint(t * range, range));
    }
    const auto top = static_cast<float>(where.y);
    const auto bottom = static_cast<float>(where.y + where.height);
    const float step = contour_step(range);
    for (float value = 0.0f; value <= range * 1.0001f; value += step) {
        for (const float sign : {1.0f, -1.0f}) {
            const float y = 0.5f * (top + bottom) - sign * value / range * 0.5f * (bottom - top);
            // Every second line has its number, so that the numbers do not crowd.
            if (static_cast<int>(std::lround(value / step)) % 2 == 0 && (value > 0.0f || sign > 0.0f))
                label(sign * value, y + 0.5f * letter);
        }
    }
    const auto left = static_cast<float>(where.x);
    draw_text(image, scale.above, left, top - 0.8f * letter, letter, palette::ink);
    draw_text(image, scale.below, left, bottom + 1.8f * letter, letter, palette::ink);
}

void render(const Slice& slice, Image& image, Rectangle where) {
    const auto cells =
        static_cast<std::size_t>(std::max(slice.columns, 0)) * static_cast<std::size_t>(std::max(slice.rows, 0));
    if (cells == 0 || slice.values.size() != cells || !(slice.width > 0.0f) || !(slice.height > 0.0f)) {
        throw Failure("the slice cannot be drawn: it has " + std::to_string(slice.values.size()) + " values for " +
                      std::to_string(slice.columns) + " x " + std::to_string(slice.rows) + " cells, or no extent.");
    }
    const float letter = std::max(7.0f, static_cast<float>(where.height) / 55.0f);
    const int scale_room = slice.has_scale ? static_cast<int>(9.0f * letter) : 0;
    const float fit = std::min(static_cast<float>(where.width - scale_room) / std::max(slice.width, slice.extent),
                               static_cast<float>(where.height) / std::max(slice.height, slice.extent));
    const int width = std::max(1, static_cast<int>(slice.width * fit));
    const int height = std::max(1, static_cast<int>(slice.height * fit));
    const Rectangle field{where.x + (where.width - scale_room - width) / 2, where.y + (where.height - height) / 2,
                          width, height};
    const float range = slice.range > 0.0f ? slice.range : largest_magnitude(slice);
    draw_field(slice, image, field, range, letter / 9.0f);
    draw_frame(slice, image, field, letter);
    if (!slice.has_scale) return;
    const int bar = static_cast<int>(1.6f * letter);
    draw_scale({range, slice.above, slice.below}, image,
               {field.x + field.width + 2 * bar, field.y + field.height / 8, bar, field.height - field.height / 4}, letter);
}

} // namespace cli
