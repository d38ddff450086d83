#include "picture/sky.hpp"

#include "picture/parallel.hpp"
#include "picture/scan_triangle.hpp"

namespace cli {
namespace {

constexpr int map_size = 224;
constexpr int sky_lights = 11 * Sky::groups;
constexpr int key_lights = 3 * Sky::groups;
constexpr float golden_angle = 2.39996323f; // spreads points on a spiral evenly

} // namespace

Sky::Sky(const Camera& camera, const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
         std::size_t casting)
    : middle_(camera.middle()), radius_(camera.radius() * 1.02f) {
    const auto from_camera = [&](float x, float y, float z) {
        return normalised(camera.right() * x + camera.up() * y + camera.back() * z);
    };
    const Vec3 key = from_camera(-0.7f, 0.75f, 0.55f);
    const Vec3 key_right = any_perpendicular(key);
    const Vec3 key_up = cross(key, key_right);
    for (int i = 0; i < sky_lights; ++i) {
        const float h = 1.0f - 2.0f * (static_cast<float>(i) + 0.5f) / static_cast<float>(sky_lights);
        const float ring = std::sqrt(1.0f - h * h);
        const float angle = golden_angle * static_cast<float>(i);
        Light light;
        light.towards = from_camera(ring * std::cos(angle), h, ring * std::sin(angle));
        // Brighter and cooler from above. A point sees half the sphere, weighted by a cosine, hence the 4.
        light.strength =
            mix(Colour{0.33f, 0.315f, 0.31f}, Colour{0.50f, 0.54f, 0.60f}, 0.5f + 0.5f * h) * (4.0f / sky_lights);
        lights_.push_back(light);
    }
    for (int i = 0; i < key_lights; ++i) {
        const float r = 0.22f * std::sqrt((static_cast<float>(i) + 0.5f) / static_cast<float>(key_lights));
        const float angle = golden_angle * static_cast<float>(i);
        Light light;
        light.towards = normalised(key + key_right * (r * std::cos(angle)) + key_up * (r * std::sin(angle)));
        light.strength = Colour{0.84f, 0.81f, 0.75f} * (1.0f / key_lights);
        lights_.push_back(light);
    }
    for_each_in_parallel(lights_.size(),
                         [&](std::size_t i) { cast_shadows(lights_[i], positions, triangles, casting); });
}

ScreenPoint Sky::on_map(const Light& light, Vec3 point) const {
    const Vec3 v = (point - middle_) * (0.5f / radius_);
    const float size = static_cast<float>(map_size);
    return {(0.5f + dot(v, light.right)) * size, (0.5f + dot(v, light.up)) * size, -dot(v, light.towards)};
}

void Sky::cast_shadows(Light& light, const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles,
                       std::size_t casting) const {
    light.right = any_perpendicular(light.towards);
    light.up = cross(light.towards, light.right);
    light.depth.assign(static_cast<std::size_t>(map_size) * map_size, 1e9f);
    std::vector<ScreenPoint> points(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) points[i] = on_map(light, positions[i]);
    for (std::size_t i = 0; i < casting; ++i) {
        const Triangle& t = triangles[i];
        const std::array<ScreenPoint, 3> p{points[t[0]], points[t[1]], points[t[2]]};
        scan_triangle(p, map_size, 0, map_size, [&](int x, int y, Weights w) {
            float& nearest = light.depth[static_cast<std::size_t>(y) * map_size + static_cast<std::size_t>(x)];
            nearest = std::min(nearest, w.of(p[0].depth, p[1].depth, p[2].depth));
        });
    }
}

// The share of the four nearest map cells that do not lie in front of the point.
float Sky::visibility(const Light& light, Vec3 point) const {
    const ScreenPoint at = on_map(light, point);
    const float fx = std::clamp(at.x - 0.5f, 0.0f, static_cast<float>(map_size) - 1.001f);
    const float fy = std::clamp(at.y - 0.5f, 0.0f, static_cast<float>(map_size) - 1.001f);
    const auto x = static_cast<std::size_t>(fx);
    const auto y = static_cast<std::size_t>(fy);
    const float tx = fx - static_cast<float>(x);
    const float ty = fy - static_cast<float>(y);
    const float* row = light.depth.data() + y * map_size + x;
    const float limit = at.depth - 1.0f / map_size;
    const auto lit = [&](float depth) { return depth >= limit ? 1.0f : 0.0f; };
    const float upper = lit(row[0]) * (1.0f - tx) + lit(row[1]) * tx;
    const float lower = lit(row[map_size]) * (1.0f - tx) + lit(row[map_size + 1]) * tx;
    return upper * (1.0f - ty) + lower * ty;
}

Colour Sky::light_at(Vec3 point, Vec3 normal, int group) const {
    const Vec3 lifted = point + normal * (3.0f * radius_ / map_size); // clear of the surface's own shadow
    Colour sum;
    for (std::size_t i = static_cast<std::size_t>(group); i < lights_.size(); i += groups) {
        const float slope = dot(normal, lights_[i].towards);
        if (slope > 0.0f) sum = sum + lights_[i].strength * (slope * visibility(lights_[i], lifted));
    }
    return sum * static_cast<float>(groups);
}

} // namespace cli
