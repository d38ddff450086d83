#include "picture/text.hpp"

#include "picture/glyphs.hpp"

#include <algorithm>
#include <cmath>

namespace cli {
namespace {

constexpr float gap = 1.9f;     // from the last dot of a letter to the first of the next, in dots
constexpr float stroke = 0.52f; // half the width of a stroke, in dots

struct Stroke {
    float ax, ay, bx, by; // in dots, y down from the base line
};

float distance_to(const Stroke& s, float x, float y) {
    const float dx = s.bx - s.ax;
    const float dy = s.by - s.ay;
    const float along = dx * dx + dy * dy;
    const float t = along > 0.0f ? std::clamp(((x - s.ax) * dx + (y - s.ay) * dy) / along, 0.0f, 1.0f) : 0.0f;
    return std::hypot(x - s.ax - t * dx, y - s.ay - t * dy);
}

// Joins neighbouring dots; diagonal ones only where no dot beside them already does.
std::vector<Stroke> strokes_of(const Glyph& g) {
    const auto dot = [&](int row, int column) {
        return row >= 0 && row < glyph_rows && column >= 0 && column < glyph_columns &&
               g.dots[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
    };
    std::vector<Stroke> strokes;
    const auto join = [&](int row_a, int column_a, int row_b, int column_b) {
        const auto x = [&](int column) { return static_cast<float>(column - g.first_column); };
        const auto y = [](int row) { return static_cast<float>(row - glyph_height + 1); };
        strokes.push_back({x(column_a), y(row_a), x(column_b), y(row_b)});
    };
    for (int r = 0; r < glyph_rows; ++r) {
        for (int c = 0; c < glyph_columns; ++c) {
            if (!dot(r, c)) continue;
            join(r, c, r, c);
            if (dot(r, c + 1)) join(r, c, r, c + 1);
            if (dot(r + 1, c)) join(r, c, r + 1, c);
            if (dot(r + 1, c + 1) && !dot(r, c + 1) && !dot(r + 1, c)) join(r, c, r + 1, c + 1);
            if (dot(r + 1, c - 1) && !dot(r, c - 1) && !dot(r + 1, c)) join(r, c, r + 1, c - 1);
        }
    }
    return strokes;
}

void draw_glyph(Image& image, const Glyph& g, float x, float y, float dot_size, Colour colour) {
    const std::vector<Stroke> strokes = strokes_of(g);
    const int left = static_cast<int>(x - dot_size) - 1;
    const int right = static_cast<int>(x + static_cast<float>(g.width) * dot_size) + 1;
    const int top = static_cast<int>(y - static_cast<float>(glyph_height) * dot_size) - 1;
    const int bottom = static_cast<int>(y + 3.0f * dot_size) + 1;
    for (int py = top; py <= bottom; ++py) {
        for (int px = left; px <= right; ++px) {
            float nearest = 1e9f;
            for (const Stroke& s : strokes) {
                nearest = std::min(nearest, distance_to(s, (static_cast<float>(px) + 0.5f - x) / dot_size,
                                                        (static_cast<float>(py) + 0.5f - y) / dot_size));
            }
            image.blend(px, py, colour, std::clamp((stroke - nearest) * dot_size + 0.5f, 0.0f, 1.0f));
        }
    }
}

float dot_size_of(float height) { return height / static_cast<float>(glyph_height); }

} // namespace

float text_width(const std::string& text, float height) {
    float dots = 0.0f;
    for (const char c : text) dots += static_cast<float>(glyph(c).width - 1) + gap;
    return text.empty() ? 0.0f : (dots - gap + 1.0f) * dot_size_of(height);
}

void draw_text(Image& image, const std::string& text, float x, float y, float height, Colour colour) {
    const float dot_size = dot_size_of(height);
    x += 0.5f * dot_size;
    for (const char c : text) {
        draw_glyph(image, glyph(c), x, y - 0.5f * dot_size, dot_size, colour);
        x += (static_cast<float>(glyph(c).width - 1) + gap) * dot_size;
    }
}

void draw_disc(Image& image, float x, float y, float radius, Colour colour) {
    for (int py = static_cast<int>(y - radius) - 1; py <= static_cast<int>(y + radius) + 1; ++py) {
        for (int px = static_cast<int>(x - radius) - 1; px <= static_cast<int>(x + radius) + 1; ++px) {
            const float d = std::hypot(static_cast<float>(px) + 0.5f - x, static_cast<float>(py) + 0.5f - y);
            image.blend(px, py, colour, std::clamp(radius - d + 0.5f, 0.0f, 1.0f));
        }
    }
}

} // namespace cli
