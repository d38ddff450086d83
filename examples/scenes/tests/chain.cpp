// A chain falls and hangs: no link leaves its neighbours, and none passes through another.
#include "on_engines.hpp"

#include <algorithm>

TEST_CASE("a chain of thirty links falls and hangs") {
    using namespace scenes::chain;
    test::on_engines([](const scenes::Engine& engine, const proxel::Context& context) {
        constexpr int links = 30;
        scenes::Scene scene = scenes::chain::scene(engine.make, context, links);
        scenes::World& world = *scene.world;
        const double start = world.energy();
        double deepest = 0, farthest = 0, most = start;
        for (int i = 1; i <= 1200; ++i) {
            scene.step();
            most = std::max(most, world.energy());
            // Two links that hold each other are no farther apart than when they pull; one that got out would fall.
            for (std::size_t k = 1; k < links; ++k) farthest = std::max<double>(farthest, cli::length(world.centre(k) - world.centre(k - 1)));
            if (i % 150 == 0) deepest = std::max(deepest, world.depth());
        }
        const cli::Vec3 end = world.centre(links - 1);
        std::printf("%s: the chain: farthest %.4f of %.4f, deepest %.4f of %.2f, energy from %.1f to %.1f J, at most %.2f more than at first; "
                    "its end at (%.2f, %.2f, %.2f), %.3f J in motion\n",
                    engine.name, farthest, double(inner_length), deepest, 2.0 * tube, start, world.energy(), most - start, end.x, end.y, end.z,
                    world.kinetic_energy());
        CHECK(deepest < 0.25 * tube);
        CHECK(farthest < inner_length + 0.5 * tube);
        CHECK(most < start + 0.01);
        CHECK(end.y < -0.8f * inner_length * (links - 1));
    });
}
