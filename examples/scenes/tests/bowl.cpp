// Knots fall into a bowl and come to rest, none deep in another, and the same to the last bit each time.
#include "on_engines.hpp"

#include "mesh/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace {

using namespace scenes::bowl;

struct Fall {
    const char* name;
    int count;
    cli::Mesh mesh;
    int steps, look; // so often the depth is looked at
    double deepest;  // that is let pass
};

void comes_to_rest(const Fall& fall) {
    test::on_engines([&](const scenes::Engine& engine, const proxel::Context& context) {
        const auto make = [&] { return scenes::bowl::scene(engine.make, context, fall.count, fall.mesh); };
        scenes::Scene scene = make(), again = make();
        scenes::World& world = *scene.world;
        const double start = world.energy();
        double least = start, rise = 0, deepest = 0;
        for (int i = 1; i <= fall.steps; ++i) {
            scene.step();
            again.step();
            least = std::min(least, world.energy());
            rise = std::max(rise, world.energy() - least);
            if (i % fall.look == 0) deepest = std::max(deepest, world.depth());
        }
        const std::vector<float> state = world.state(), twin = again.world->state();
        std::printf("%s: %d %s: deepest %.5f, energy from %.1f to %.1f J, rise %.2g J, %.2g J in motion, fastest %.3f\n", engine.name, fall.count,
                    fall.name, deepest, start, world.energy(), rise, world.kinetic_energy(), world.speed());
        for (const float number : state) CHECK(std::isfinite(number));
        CHECK((state.size() == twin.size() && std::memcmp(state.data(), twin.data(), state.size() * sizeof(float)) == 0));
        CHECK(deepest < fall.deepest);
        for (int k = 1; k <= fall.count; ++k) CHECK(cli::length(world.centre(std::size_t(k))) < radius); // inside of the bowl
        CHECK(rise < 0.001 * std::fabs(start));
        CHECK(world.kinetic_energy() < 0.1);
    });
}

} // namespace

TEST_CASE("knots come to rest in a bowl") {
    constexpr double tenth_of_a_tube = 0.032;
    comes_to_rest({"knots", 10, cli::knot(400), 600, 50, tenth_of_a_tube});
}

// Minutes: with PROXEL_LONG_SCENES in the environment.
TEST_CASE("a hundred knots and fifteen rabbits come to rest in a bowl" * doctest::skip(std::getenv("PROXEL_LONG_SCENES") == nullptr)) {
    constexpr double skin = 0.01; // around each
    comes_to_rest({"knots", 100, cli::knot(800), 900, 300, skin});
    comes_to_rest({"rabbits", 15, cli::rabbit(2000), 900, 300, skin});
}
