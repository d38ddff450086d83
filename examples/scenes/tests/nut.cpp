// A nut turns down a bolt by its own weight, without friction. The thread holds it: it never jumps, and it never sticks.
#include "on_engines.hpp"

#include <algorithm>
#include <cmath>

TEST_CASE("a nut turns down a bolt") {
    using namespace scenes::nut;
    test::on_engines([](const scenes::Engine& engine, const proxel::Context& context) {
        constexpr double tau = 6.283185307179586, per_turn = pitch / tau;
        scenes::Scene scene = scenes::nut::scene(engine.make, context);
        scenes::World& world = *scene.world;
        // Without friction the weight turns into motion along the thread: a = g / (1 + (2 pi / pitch)^2 k^2), k the radius of gyration.
        const double acceleration = scenes::World::gravity / (1 + gyration_squared() / (per_turn * per_turn));
        // A nut can move along its axis within the thread by the clearance over the flank's steepness, up and down.
        const double flank = amplitude * tau / pitch, play = 2 * clearance * std::sqrt(1 + 1 / (flank * flank)) + 0.01;
        constexpr int steps = 260;
        double angle = 0, most_off = 0, most_aside = 0, last_twist = 0;
        std::vector<double> depths, ideal; // after each step
        const cli::Vec3 start = world.centre(1);
        for (int i = 1; i <= steps; ++i) {
            scene.step();
            const cli::Pose at = world.pose(1);
            const double twist = 2 * std::atan2(at.turn.y, at.scalar);
            angle += std::remainder(twist - last_twist, tau);
            last_twist = twist;
            const cli::Vec3 gone = world.centre(1) - start;
            most_off = std::max(most_off, std::fabs(-gone.y + angle * per_turn));
            most_aside = std::max<double>(most_aside, std::hypot(gone.x, gone.z));
            const double time = i / 120.0;
            ideal.push_back(0.5 * acceleration * time * time);
            depths.push_back(-gone.y);
        }
        // How fast it was in any half of a second after the first one.
        double slowest = 1;
        for (std::size_t i = 180; i < depths.size(); ++i) slowest = std::min(slowest, (depths[i] - depths[i - 60]) / (ideal[i] - ideal[i - 60]));
        // From one moment to another the play counts twice at most: what is left is the pitch.
        const double fallen = depths.back() - depths[29];
        std::printf("%s: the nut fell %.3f m in %.3f turns, %.3f m without friction; off the thread by at most %.4f of %.4f, aside by %.4f; "
                    "slowest %.3f; %.3f m after the start\n",
                    engine.name, depths.back(), -angle / tau, ideal.back(), most_off, play, most_aside, slowest, fallen);
        CHECK(angle < -tau); // a whole turn and more
        CHECK(most_off < play);
        CHECK(most_aside < clearance + 0.01);
        // Never stuck, and never faster than without any friction: energy is not made.
        CHECK(slowest > 0.5);
        CHECK(depths.back() < ideal.back() + play);
    });
}
