// A nut turns down a bolt by its own weight, without friction. The thread holds it: it never jumps, and it never sticks.
#include "witness.hpp"
#include "world.hpp"

#include <algorithm>
#include <cmath>

using namespace bullet;

namespace {

constexpr double tau = 6.283185307179586;
constexpr double pitch = 0.4, radius = 0.3, amplitude = 0.05, clearance = 0.015, outer_radius = 0.5;
constexpr std::uint32_t around = 48;
constexpr int per_pitch = 16;

// The bolt's surface at an angle about the y axis and a height.
double thread(double angle, double height) { return radius + amplitude * std::cos(tau * height / pitch - angle); }

cli::Vec3 on_circle(double r, std::uint32_t i, double height) {
    const double angle = tau * i / around;
    return {static_cast<float>(r * std::sin(angle)), static_cast<float>(height), static_cast<float>(r * std::cos(angle))};
}

// Rings of points, one above the other, joined to a closed tube: from the last ring back to the first, or with a lid on either end.
cli::Mesh joined(const std::vector<std::vector<cli::Vec3>>& rings, bool to_a_ring) {
    cli::Mesh mesh;
    for (const auto& ring : rings) mesh.positions.insert(mesh.positions.end(), ring.begin(), ring.end());
    const auto count = static_cast<std::uint32_t>(rings.size());
    const auto at = [&](std::uint32_t ring, std::uint32_t i) { return ring % count * around + i % around; };
    for (std::uint32_t j = 0; j + (to_a_ring ? 0 : 1) < count; ++j) {
        for (std::uint32_t i = 0; i < around; ++i) {
            mesh.triangles.push_back({at(j, i), at(j, i + 1), at(j + 1, i)});
            mesh.triangles.push_back({at(j, i + 1), at(j + 1, i + 1), at(j + 1, i)});
        }
    }
    if (to_a_ring) return mesh;
    for (const std::uint32_t ring : {0u, count - 1}) {
        const auto lid = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.push_back({0, rings[ring][0].y, 0});
        for (std::uint32_t i = 0; i < around; ++i) {
            if (ring == 0) mesh.triangles.push_back({lid, at(ring, i + 1), at(ring, i)});
            else mesh.triangles.push_back({lid, at(ring, i), at(ring, i + 1)});
        }
    }
    return mesh;
}

std::vector<cli::Vec3> ring(double height, double outwards) {
    std::vector<cli::Vec3> out;
    for (std::uint32_t i = 0; i < around; ++i) out.push_back(on_circle(thread(tau * i / around, height) + outwards, i, height));
    return out;
}

std::vector<cli::Vec3> circle(double height, double r) {
    std::vector<cli::Vec3> out;
    for (std::uint32_t i = 0; i < around; ++i) out.push_back(on_circle(r, i, height));
    return out;
}

cli::Mesh bolt(double length) {
    std::vector<std::vector<cli::Vec3>> rings;
    const int count = static_cast<int>(length / pitch * per_pitch);
    for (int j = 0; j <= count; ++j) rings.push_back(ring(length * j / count, 0));
    return joined(rings, false);
}

cli::Mesh nut(double from, double to) {
    std::vector<std::vector<cli::Vec3>> rings;
    const int count = static_cast<int>((to - from) / pitch * per_pitch);
    for (int j = 0; j <= 4; ++j) rings.push_back(circle(from + (to - from) * j / 4, outer_radius));
    for (int j = count; j >= 0; --j) rings.push_back(ring(from + (to - from) * j / count, clearance));
    return joined(rings, true);
}

} // namespace

TEST_CASE("a nut turns down a bolt") {
    test::Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    World world(context);
    world.dispatcher.reach = btScalar(0.004);
    world.dispatcher.slack = btScalar(0.001);
    world.dispatcher.def.patches = 64;
    SolidShape screw(context, bolt(1.4), 160), female(context, nut(0.9, 1.3), 128);
    for (SolidShape* shape : {&screw, &female}) shape->setMargin(btScalar(0.001));
    world.add(screw, 0, vector(screw.centre), 0);
    btRigidBody& body = world.add(female, 1, vector(female.centre), 0);

    // Without friction the weight turns into motion along the thread: a = g / (1 + (2 pi / pitch)^2 k^2), k the radius of gyration.
    const double per_turn = pitch / tau;
    const double acceleration = World::gravity / (1 + female.unit_inertia.y() / (per_turn * per_turn));
    // A nut can move along its axis within the thread by the clearance over the flank's steepness, up and down.
    const double flank = amplitude * tau / pitch, play = 2 * clearance * std::sqrt(1 + 1 / (flank * flank)) + 0.01;
    constexpr int steps = 260;
    double angle = 0, most_off = 0, most_aside = 0, last_twist = 0;
    std::vector<double> depths, ideal; // after each step
    const double start = body.getWorldTransform().getOrigin().y();
    for (int i = 1; i <= steps; ++i) {
        world.step();
        const btQuaternion turn = body.getWorldTransform().getRotation();
        const double twist = 2 * std::atan2(turn.y(), turn.w());
        angle += std::remainder(twist - last_twist, tau);
        last_twist = twist;
        const btVector3 at = body.getWorldTransform().getOrigin();
        const double fallen = start - at.y();
        most_off = std::max(most_off, std::fabs(fallen + angle * per_turn));
        most_aside = std::max<double>(most_aside, std::hypot(at.x() - female.centre.x, at.z() - female.centre.z));
        const double time = i * double(World::time_step);
        ideal.push_back(0.5 * acceleration * time * time);
        depths.push_back(fallen);
    }
    // How fast it was in any half of a second after the first one.
    double slowest = 1;
    for (std::size_t i = 180; i < depths.size(); ++i) slowest = std::min(slowest, (depths[i] - depths[i - 60]) / (ideal[i] - ideal[i - 60]));
    CHECK(angle < -tau); // a whole turn and more
    CHECK(most_off < play);
    CHECK(most_aside < clearance + 0.01);
    // Never stuck, and never faster than without any friction: energy is not made.
    CHECK(slowest > 0.5);
    CHECK(depths.back() < ideal.back() + play);
    std::printf("the nut fell %.3f m in %.3f turns, %.3f m without friction; off the thread by at most %.4f of %.4f, aside by %.4f; slowest %.3f\n",
                depths.back(), -angle / tau, ideal.back(), most_off, play, most_aside, slowest);
}
