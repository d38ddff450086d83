#include "picture/capsule.hpp"

#include <algorithm>
#include <cmath>

namespace cli {

void append_capsules(std::vector<Capsule>& capsules, const Mark& mark, const Camera& camera, float scale) {
    const float radius = 0.5f * mark.width * scale;
    const ScreenPoint from = camera.project(mark.from);
    const ScreenPoint to = camera.project(mark.kind == Mark::Kind::dot ? mark.from : mark.to);
    if (mark.kind != Mark::Kind::arrow) {
        capsules.push_back({from, to, radius, radius, false, mark.colour});
        return;
    }
    const float head = 4.2f * mark.width * scale;
    const float on_screen = std::hypot(to.x - from.x, to.y - from.y);
    const float t = std::max(0.0f, 1.0f - head / std::max(on_screen, 1e-3f));
    const ScreenPoint neck{from.x + t * (to.x - from.x), from.y + t * (to.y - from.y),
                           from.depth + t * (to.depth - from.depth)};
    capsules.push_back({from, neck, radius, radius, false, mark.colour});
    capsules.push_back({neck, to, 3.0f * radius, 0.3f * radius, true, mark.colour});
}

CapsuleHit hit_capsule(const Capsule& capsule, const Camera& camera, float x, float y) {
    const float dx = capsule.b.x - capsule.a.x;
    const float dy = capsule.b.y - capsule.a.y;
    const float along = dx * dx + dy * dy;
    const float raw = along > 0.0f ? ((x - capsule.a.x) * dx + (y - capsule.a.y) * dy) / along : 0.0f;
    if (capsule.flat_start && raw < 0.0f) return {};
    const float t = std::clamp(raw, 0.0f, 1.0f);
    const float radius = capsule.radius_a + t * (capsule.radius_b - capsule.radius_a);
    const float off_x = x - capsule.a.x - t * dx;
    const float off_y = y - capsule.a.y - t * dy;
    const float inside = radius * radius - off_x * off_x - off_y * off_y;
    if (inside <= 0.0f) return {};

    const float bulge = std::sqrt(inside);
    const float middle = capsule.a.depth + t * (capsule.b.depth - capsule.a.depth);
    const float distance = camera.distance_of(middle) - bulge * camera.pixel_size(middle);
    const float slope = (-0.45f * off_x - 0.6f * off_y + 0.66f * bulge) / radius; // towards a light at the upper left
    return {true, camera.depth_of(distance), capsule.colour * (0.72f + 0.36f * std::max(slope, 0.0f))};
}

} // namespace cli
