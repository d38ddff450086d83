// Knots fall into a bowl and come to rest, none deep in another, and the same to the last bit each time.
#include "on_engines.hpp"

#include "mesh/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

TEST_CASE("knots come to rest in a bowl") {
    using namespace scenes::bowl;
    test::on_engines([](const scenes::Engine& engine, const proxel::Context& context) {
        constexpr int knots = 10, steps = 600;
        const auto make = [&] { return scenes::bowl::scene(engine.make, context, knots, cli::knot(400)); };
        scenes::Scene scene = make(), again = make();
        scenes::World& world = *scene.world;
        const double start = world.energy();
        double least = start, rise = 0, deepest = 0;
        for (int i = 1; i <= steps; ++i) {
            scene.step();
            again.step();
            least = std::min(least, world.energy());
            rise = std::max(rise, world.energy() - least);
            if (i % 50 == 0) deepest = std::max(deepest, world.depth());
        }
        const std::vector<float> state = world.state(), twin = again.world->state();
        std::printf("%s: knots: deepest %.5f, energy from %.1f to %.1f J, rise %.2g J, %.2g J in motion, fastest %.3f\n", engine.name, deepest, start,
                    world.energy(), rise, world.kinetic_energy(), world.speed());
        for (const float number : state) CHECK(std::isfinite(number));
        CHECK((state.size() == twin.size() && std::memcmp(state.data(), twin.data(), state.size() * sizeof(float)) == 0));
        CHECK(deepest < 0.032); // a tenth of a tube
        for (std::size_t k = 1; k <= knots; ++k) CHECK(cli::length(world.centre(k)) < radius); // inside of the bowl
        CHECK(rise < 0.001 * std::fabs(start));
        CHECK(world.kinetic_energy() < 0.1);
    });
}
