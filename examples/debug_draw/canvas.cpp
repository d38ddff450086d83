#include "canvas.hpp"

#include "picture/text.hpp"

#include <algorithm>

namespace drawn {

namespace {

cli::Vec3 place(const float* p) { return {p[0], p[1], p[2]}; }

} // namespace

void Canvas::line(const float* from, const float* to, std::uint32_t color) {
    ++lines_;
    marks_.push_back({cli::Mark::Kind::segment, place(from), place(to), cli::hex(color >> 8), only_lines_ ? 0.7f : 1.8f});
}

void Canvas::triangle(const float* a, const float* b, const float* c, std::uint32_t color) {
    if (only_lines_) return;
    const auto first = static_cast<std::uint32_t>(triangles_.positions.size());
    for (const float* p : {a, b, c}) triangles_.positions.push_back(place(p));
    triangles_.triangles.push_back({first, first + 1, first + 2});
    colours_.push_back(cli::hex(color >> 8));
    opacity_ = std::min(opacity_, static_cast<float>(color & 0xff) / 255.0f);
}

void Canvas::point(const float* at, std::uint32_t color) {
    ++points_;
    marks_.push_back({cli::Mark::Kind::dot, place(at), {}, cli::hex(color >> 8), 7.0f});
}

void Canvas::edges(const proxel::Context& context, const proxel::Placed& mesh) {
    only_lines_ = true;
    this->mesh(context, mesh).value();
    only_lines_ = false;
}

std::string Canvas::counts() const {
    return std::to_string(colours_.size()) + " triangles, " + std::to_string(lines_) + " lines, " + std::to_string(points_) + " points";
}

cli::Image Canvas::picture(const std::string& title, const std::string& caption, int width, int height) const {
    cli::Image image(width, height, cli::palette::paper);
    cli::View view;
    if (!triangles_.triangles.empty()) {
        view.surfaces.push_back({&triangles_, {}, cli::palette::clay, opacity_, colours_});
    }
    view.marks = marks_;
    constexpr int margin = 20, head = 60;
    cli::render(view, image, {margin, head, width - 2 * margin, height - head - margin});
    cli::draw_text(image, title, margin, 28, 12, cli::palette::ink);
    cli::draw_text(image, caption, margin, 48, 8, cli::palette::faint_ink);
    return image;
}

} // namespace drawn
