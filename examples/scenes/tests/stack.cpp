// Ten boxes on each other stay where they are in Jolt; examples/bullet/tests/stack.cpp has those in Bullet, on a plane.
#include "on_engines.hpp"

#include <algorithm>
#include <cmath>

// Boxes of a metre: no more than a millimetre aside per metre of height in ten seconds.
TEST_CASE("ten boxes stay on each other") {
    test::on_engines([](const scenes::Engine& engine, const proxel::Context& context) {
        scenes::Scene scene = scenes::stack::scene(engine.make, context);
        double aside = 0, sunk = 0, tilted = 0;
        for (int i = 0; i < scene.steps; ++i) {
            scene.step();
            for (int k = 0; k < scenes::stack::boxes; ++k) {
                const cli::Pose at = scene.world->pose(static_cast<std::size_t>(k) + 1);
                const double height = scenes::stack::height(k);
                aside = std::max(aside, std::hypot(at.translation.x, at.translation.z) / height);
                sunk = std::max(sunk, std::fabs(at.translation.y - height) / height);
                tilted = std::max<double>(tilted, 2 * cli::length(at.turn));
            }
        }
        CHECK(aside < 1e-3);
        CHECK(sunk < 1e-3);
        CHECK(tilted < 2e-3);
        // At rest: what a fall of all ten by a hundredth of a millimetre would give.
        CHECK(scene.world->kinetic_energy() < 1e-5 * scenes::stack::boxes * scenes::World::gravity);
        std::printf("%s: ten boxes in 10 s: aside by %.3g of the height, too low or high by %.3g of it, tilted by %.3g\n", engine.name, aside, sunk,
                    tilted);
    }, "Jolt");
}
