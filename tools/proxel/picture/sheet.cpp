#include "picture/sheet.hpp"

#include "picture/text.hpp"

#include <algorithm>

namespace cli {
namespace {

// Letters shrink rather than run out of the panel.
void draw_fitting(Image& image, const std::string& text, float x, float y, float height, float room, Colour colour) {
    const float width = text_width(text, height);
    draw_text(image, text, x, y, width > room ? height * room / width : height, colour);
}

// Words in rows from the bottom up; returns how high they reach.
int draw_legend(const std::vector<LegendEntry>& legend, Image& image, Rectangle where, float letter) {
    std::vector<std::vector<const LegendEntry*>> rows(1);
    const auto room = static_cast<float>(where.width);
    const auto width_of = [&](const LegendEntry& entry) { return text_width(entry.text, letter) + 5.0f * letter; };
    float used = 0.0f;
    for (const LegendEntry& entry : legend) {
        if (used > 0.0f && used + width_of(entry) > room + 3.0f * letter) {
            rows.emplace_back();
            used = 0.0f;
        }
        rows.back().push_back(&entry);
        used += width_of(entry);
    }
    const float line = 2.4f * letter;
    const float reach = legend.empty() ? 0.0f : line * static_cast<float>(rows.size());
    float y = static_cast<float>(where.y + where.height) - reach + line;
    for (const auto& row : rows) {
        auto x = static_cast<float>(where.x);
        for (const LegendEntry* entry : row) {
            draw_disc(image, x + 0.6f * letter, y - 0.5f * letter, 0.6f * letter, entry->colour);
            draw_fitting(image, entry->text, x + 2.0f * letter, y, letter, room - 2.0f * letter, palette::ink);
            x += width_of(*entry);
        }
        y += line;
    }
    return static_cast<int>(reach);
}

const std::vector<LegendEntry>& legend_of(const View& view) { return view.legend; }

const std::vector<LegendEntry>& legend_of(const Slice&) {
    static const std::vector<LegendEntry> none;
    return none;
}

const Scale* scale_of(const View& view) { return view.scale ? &*view.scale : nullptr; }
const Scale* scale_of(const Slice&) { return nullptr; } // it draws its own, at the cut's height

template <class Content> void draw_panel(const Content& content, Image& image, Rectangle cell) {
    const float unit = static_cast<float>(std::min(cell.width, cell.height)) / 900.0f;
    const int margin = static_cast<int>(44.0f * unit);
    Rectangle inner{cell.x + margin, cell.y + margin, cell.width - 2 * margin, cell.height - 2 * margin};
    const auto room = static_cast<float>(inner.width);
    const auto left = static_cast<float>(inner.x);
    const auto move_top = [&](float by) {
        inner.y += static_cast<int>(by);
        inner.height -= static_cast<int>(by);
    };
    if (!content.title.empty()) {
        const float letter = std::max(9.0f, 23.0f * unit);
        draw_fitting(image, content.title, left, static_cast<float>(inner.y) + letter, letter, room, palette::ink);
        move_top(1.9f * letter);
    }
    const float small = std::max(7.0f, 14.0f * unit);
    if (!content.caption.empty()) {
        draw_fitting(image, content.caption, left, static_cast<float>(inner.y) + small, small, room,
                     palette::faint_ink);
        move_top(2.0f * small);
    }
    inner.height -= draw_legend(legend_of(content), image, inner, small);
    const int air = static_cast<int>(16.0f * unit);
    inner.y += air;
    inner.height -= 2 * air;
    if (const Scale* scale = scale_of(content)) {
        const int bar = static_cast<int>(1.6f * small);
        const int room_for_scale = static_cast<int>(9.0f * small);
        inner.width -= room_for_scale;
        draw_scale(*scale, image, {inner.x + inner.width + 2 * bar, inner.y + inner.height / 8, bar, inner.height - inner.height / 4}, small);
    }
    if (inner.width > 0 && inner.height > 0) render(content, image, inner); // words may leave no room in a tiny panel
}

} // namespace

Image draw_sheet(const std::vector<Panel>& panels, int columns, int width, int height) {
    const int count = static_cast<int>(panels.size());
    columns = std::clamp(columns, 1, std::max(count, 1));
    const int rows = std::max(1, (count + columns - 1) / columns);
    Image image(columns * width, rows * height, palette::paper);
    for (int i = 0; i < count; ++i) {
        const Rectangle cell{(i % columns) * width, (i / columns) * height, width, height};
        std::visit([&](const auto& content) { draw_panel(content, image, cell); }, panels[static_cast<std::size_t>(i)]);
    }
    return image;
}

} // namespace cli
