#include "commands/motion.hpp"

namespace cli {

Mesh at_time(const Mesh& from, const Mesh& to, float time) {
    Mesh out = from;
    for (std::size_t i = 0; i < out.positions.size(); ++i) out.positions[i] = lerp(from.positions[i], to.positions[i], time);
    return out;
}

void mark_paths(View& view, const Mesh& from, const Mesh& to, float time) {
    const std::size_t step = from.positions.size() / 24 + 1;
    for (std::size_t i = 0; i < from.positions.size(); i += step) {
        const Vec3 start = from.positions[i];
        const Vec3 end = lerp(start, to.positions[i], time);
        if (length(end - start) > 0.0f) view.marks.push_back({Mark::Kind::arrow, start, end, palette::faint_ink, 2.0f});
    }
}

} // namespace cli
