#include "rings.hpp"
#include "scene.hpp"

#include "mesh/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace scenes::key {
namespace {

constexpr double tau = 6.283185307179586;
constexpr double shaft = 0.1, bit_half = 0.04, bit_reach = 0.4; // of the key; all lengths are in metres
constexpr double notches[] = {0.2, 0.28};                       // what is left of the bit where a ward is, from the axis
constexpr double wards[] = {-0.55, -0.8};                       // heights of their middles
constexpr double tip = -1.42;                                   // of the key
constexpr double slope = 0.06;                                   // on what faces down
constexpr double ward_half = 0.05, step = 0.01;                 // surfaces across the axis lean by a step, so that no two points of a column coincide

// A circle with a fin or a slot of parallel sides towards +z, at a height.
struct Section {
    double height, circle, half_width, reach;
    double wide = 1, flat = 1; // of an oval: its axes along x and z, as parts of the circle's radius
};

double radius(const Section& s, double angle) {
    const double across = std::fabs(std::sin(angle)), along = std::cos(angle);
    const double oval = s.circle / std::hypot(across / s.wide, along / s.flat);
    return along <= 0 || s.reach <= s.circle ? oval : std::max(oval, std::min(s.half_width / across, s.reach / along));
}

// Directions that have all corners of all sections among them: from one section to the next every edge is radial or upright.
std::vector<double> directions(const std::vector<Section>& sections) {
    std::set<long> all; // in millionths
    const auto add = [&](double angle) { all.insert(std::lround(1e6 * (angle < 0 ? angle + tau : angle))); };
    constexpr int even = 40;
    for (int i = 0; i < even; ++i) add(tau * i / even);
    for (const Section& s : sections) {
        if (s.reach <= s.circle) continue;
        for (const double angle : {std::asin(s.half_width / s.circle), std::atan2(s.half_width, s.reach)}) add(angle), add(-angle);
    }
    std::vector<double> out;
    for (const long angle : all) out.push_back(1e-6 * static_cast<double>(angle));
    return out;
}

Ring outline(const Section& section, const std::vector<double>& angles) {
    Ring out;
    for (const double angle : angles) {
        const double r = radius(section, angle);
        out.push_back({static_cast<float>(r * std::sin(angle)), static_cast<float>(section.height), static_cast<float>(r * std::cos(angle))});
    }
    return out;
}

// From the tip upwards. What faces down slopes, so that it slides in; what faces up does not, and holds. Its collar's underside is at height 0.
cli::Mesh key_mesh(bool right) {
    const double low = -0.99, high = -0.4;
    std::vector<Section> sections{{tip, 0.2 * shaft, bit_half, 0}, {tip + 0.15, shaft, bit_half, 0}, {low - slope, shaft, bit_half, 0},
                                  {low, shaft, bit_half, bit_reach}};
    for (const int ward : {1, 0}) {
        const double left = notches[right ? ward : 1 - ward], half = ward_half + clearance + step;
        for (const double side : {-1.0, 1.0}) {
            const double height = wards[ward] + side * half;
            sections.push_back({height, shaft, bit_half, side < 0 ? bit_reach : left});
            sections.push_back({height + (side < 0 ? step : slope), shaft, bit_half, side < 0 ? left : bit_reach});
        }
    }
    sections.insert(sections.end(), {{high, shaft, bit_half, bit_reach}, {high + step, shaft, bit_half, 0}, {0, shaft, bit_half, 0}, {step, collar, bit_half, 0},
                                     {0.08, collar, bit_half, 0}, {0.09, 0.9 * shaft, bit_half, 0}});
    for (int i = 0; i <= 8; ++i) { // the bow: flat and round
        const double angle = tau / 2 * (0.08 + 0.88 * i / 8);
        sections.push_back({0.32 - 0.22 * std::cos(angle), 1, bit_half, 0, 0.22 * std::sin(angle), 0.05});
    }
    const std::vector<double> angles = directions(sections);
    std::vector<Ring> rings;
    for (const Section& section : sections) rings.push_back(outline(section, angles));
    return tube(rings, Ends::lids);
}

// A case around a hole, from the outside up, and down through the hole: its mouth, the cover's hole, a room with two wards, and a bearing for the tip.
cli::Mesh lock_mesh() {
    constexpr double mouth = 0.035, funnel = 0.08, room = 0.5, outside = 0.62, bottom = -1.3, floor = -1.06, cover = 0.25;
    const double slot = bit_half + clearance, reach = bit_reach + clearance;
    std::vector<Section> hole{{0, shaft + clearance + mouth, slot + mouth, reach + mouth},
                              {-0.05, shaft + clearance, slot, reach},
                              {-cover, shaft + clearance, slot, reach},
                              {-cover - step, room, slot, 0}};
    for (int ward = 0; ward < 2; ++ward) {
        const double free = notches[ward] + clearance, middle = wards[ward];
        hole.insert(hole.end(), {{middle + ward_half, room, slot, 0}, {middle + ward_half - step, free, slot, reach},
                                 {middle - ward_half + step, free, slot, reach}, {middle - ward_half, room, slot, 0}});
    }
    hole.insert(hole.end(), {{floor, room, slot, 0}, {floor - step, shaft + clearance + funnel, slot, 0}, {floor - funnel, shaft + clearance, slot, 0},
                             {bottom, shaft + clearance, slot, 0}});
    const std::vector<double> angles = directions(hole);
    std::vector<Ring> rings;
    for (int j = 0; j <= 4; ++j) rings.push_back(outline({bottom * (4 - j) / 4, outside, slot, 0}, angles));
    for (const Section& section : hole) rings.push_back(outline(section, angles));
    return tube(rings, Ends::joined);
}

// Where the bit stands against it, it points to -z.
cli::Mesh stop_mesh() {
    cli::Mesh mesh = cli::box(12);
    for (cli::Vec3& p : mesh.positions) p = {-static_cast<float>(bit_half) - 0.06f + 0.06f * p.x, -0.97f + 0.05f * p.y, -0.35f + 0.08f * p.z};
    return mesh;
}

} // namespace

Scene scene(const MakeWorld& make, const proxel::Context& context, bool right) {
    Settings settings;
    settings.reach = 0.004f;
    settings.slack = 0.001f;
    settings.patches = 16;
    settings.iterations = 20;
    Scene scene{make(context, settings), steps, {}, {0.6f, 0.45f, 1.0f}, {}};
    BodyDef lock, stop, key;
    lock.shape = scene.world->add_shape({lock_mesh(), 112, 0});
    stop.shape = scene.world->add_shape({stop_mesh(), 32, 0});
    key.shape = scene.world->add_shape({key_mesh(right), 144, 0});
    lock.mass = stop.mass = 0;
    lock.opacity = 0.35f;
    lock.friction = stop.friction = key.friction = 0.02f; // oiled: a key that leans jams where its friction is more
    key.damping = 0.2f;
    // Over the mouth, off its middle and leaning a little.
    key.pose = {{0.008f, static_cast<float>(dropped_from), -0.006f}, {0.003f, 0.006f, 0.002f}, 1};
    key.pose.scalar = std::sqrt(1 - cli::dot(key.pose.turn, key.pose.turn));
    for (const BodyDef& def : {lock, stop, key}) scene.world->add_body(def);
    scene.drive = [done = 0](World& world) mutable {
        const int now = done++;
        if (now < turned_at) return;
        if (now < pulled_at) {
            const cli::Vec3 spin = world.spin(body);
            world.set_spin(body, {spin.x, static_cast<float>(turned_with), spin.z});
        } else {
            const cli::Vec3 velocity = world.velocity(body);
            world.set_velocity(body, {velocity.x, static_cast<float>(pulled_with), velocity.z});
        }
    };
    scene.framed = {{-0.6f, -1.45f, 0.6f}, {0.6f, -1.45f, -0.6f}, {-0.6f, 0.2f, 0.6f}, {0.3f, 2.0f, 0}, {-0.3f, 2.0f, 0}};
    return scene;
}

} // namespace scenes::key
