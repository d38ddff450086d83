// Gears drive each other: the driven one turns the next, and that the last, as their teeth say, for a whole turn and more.
#include "on_engines.hpp"

#include <algorithm>
#include <cmath>

TEST_CASE("gears keep their ratio") {
    using namespace scenes::gears;
    test::on_engines([](const scenes::Engine& engine, const proxel::Context& context) {
        constexpr double tau = 6.283185307179586, step = 1.0 / 120;
        scenes::Scene scene = scenes::gears::scene(engine.make, context);
        scenes::World& world = *scene.world;
        double angle[3] = {}, at_first[3] = {}, last[3] = {}, deepest = 0, most_apart = 0;
        const auto twist = [&](std::size_t gear) {
            const cli::Pose at = world.pose(gear);
            return 2 * std::atan2(double(at.turn.y), double(at.scalar));
        };
        for (std::size_t gear = 0; gear < 3; ++gear) last[gear] = twist(gear);
        constexpr int meshed = 60; // steps until all teeth are against each other
        for (int i = 1; i <= scene.steps; ++i) {
            scene.step();
            for (std::size_t gear = 0; gear < 3; ++gear) {
                const double now = twist(gear);
                angle[gear] += std::remainder(now - last[gear], tau);
                last[gear] = now;
                if (i == meshed) at_first[gear] = angle[gear];
            }
            for (std::size_t gear = 1; i > meshed && gear < 3; ++gear) {
                const double should = -(angle[gear - 1] - at_first[gear - 1]) * teeth[gear - 1] / teeth[gear];
                most_apart = std::max(most_apart, std::fabs(angle[gear] - at_first[gear] - should) * radius(static_cast<int>(gear)));
            }
            if (i % 400 == 0) deepest = std::max(deepest, world.depth());
        }
        const double turns = scene.steps * step * driven_at / tau;
        double ratios[2];
        for (std::size_t gear = 1; gear < 3; ++gear)
            ratios[gear - 1] = -(angle[gear] - at_first[gear]) / (angle[gear - 1] - at_first[gear - 1]) * teeth[gear] / teeth[gear - 1];
        std::printf("%s: gears: %.3f, %.3f and %.3f turns; ratios %.4f and %.4f of what the teeth say; rolled apart by at most %.5f of %.4f of play; "
                    "deepest %.5f\n",
                    engine.name, angle[0] / tau, angle[1] / tau, angle[2] / tau, ratios[0], ratios[1], most_apart, backlash, deepest);
        // Each step gives the first its spin anew, and what slows the others takes a part of it.
        CHECK(angle[0] / tau > 0.9 * turns);
        CHECK(angle[0] / tau < 1.001 * turns);
        for (const double ratio : ratios) CHECK_NEAR(ratio, 1, 0.01);
        CHECK(most_apart < 2 * backlash); // no tooth was ever passed over: that would be a pitch
        CHECK(deepest < 0.1 * module);
    });
}
