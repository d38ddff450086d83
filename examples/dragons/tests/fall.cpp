// Bodies fall as bodies fall, meet the floor and each other, and do not sink in; the same to the last bit each time.
#include "mesh/shapes.hpp"
#include "scene.hpp"
#include "witness.hpp"

#include <cmath>
#include <cstring>

using namespace dragons;

TEST_CASE("rabbits fall onto a deforming floor") {
    test::Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    SceneDef def;
    def.bodies = 4;
    def.floor_triangles = 1500;
    def.field_resolution = 32;
    def.sampling = 48;
    def.drop_height = 1.95f;
    Scene scene(context, cli::rabbit(800), def), again(context, cli::rabbit(800), def);
    Times times{};
    const double start = scene.energy();
    std::vector<float> heights;
    for (const Body& body : scene.bodies()) heights.push_back(body.place.translation.y);

    double deepest = 0, most_energy = start;
    std::size_t touched = 0;
    bool falling = true;
    int free_frames = 0;
    for (int frame = 1; frame <= 150; ++frame) {
        scene.advance(times);
        again.advance(times);
        falling = falling && scene.contacts() == 0;
        free_frames += falling;
        // Nothing but gravity so far: after n steps v = -g n dt and y = y0 - g dt^2 n (n + 1) / 2.
        const double speed = double{def.gravity} * def.time_step * frame, fallen = speed * def.time_step * (frame + 1) / 2;
        for (std::size_t i = 0; falling && i < heights.size(); ++i) {
            CHECK_NEAR(scene.bodies()[i].place.translation.y, heights[i] - fallen, 1e-4);
            CHECK_NEAR(scene.bodies()[i].velocity.y, -speed, 1e-4);
        }
        touched = std::max(touched, scene.contacts());
        deepest = std::max(deepest, scene.depth());
        most_energy = std::max(most_energy, scene.energy());
    }
    CHECK(!falling);
    CHECK(free_frames > 20);
    CHECK(touched >= heights.size());
    // A rabbit is about 1 thick in its middle: its centre stays above the floor, and nothing is a fifth of that deep.
    CHECK((deepest > 0 && deepest < 0.2));
    CHECK(scene.lowest_above_floor() > 0.2);
    // The floor does work on them, but waves of 0.12 cannot lift them above where they started.
    CHECK(most_energy < 1.01 * start);
    CHECK(scene.energy() < 0.8 * start);
    for (std::size_t i = 0; i < heights.size(); ++i) {
        const Body &one = scene.bodies()[i], &other = again.bodies()[i];
        CHECK((std::isfinite(one.place.translation.y) && std::isfinite(one.velocity.y)));
        CHECK(std::memcmp(&one, &other, sizeof one) == 0);
    }
    std::printf("%zu contacts at once, deepest %.3f, energy from %.1f to %.1f\n", touched, deepest, start, scene.energy());
}
