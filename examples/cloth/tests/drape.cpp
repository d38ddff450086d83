// A cloth falls, drapes over a swaying body and over itself, and nothing passes through anything.
// PROXEL_CLOTH_SIDE=72 makes it a cloth of 10,082 triangles, which takes minutes.
#include "scene.hpp"
#include "witness.hpp"

#include <cmath>
#include <cstring>

using namespace drape;

namespace {

SceneDef chosen() {
    SceneDef def;
    const char* side = std::getenv("PROXEL_CLOTH_SIDE");
    def.side = side != nullptr ? static_cast<std::uint32_t>(std::atoi(side)) : 22;
    if (side == nullptr) def.body_triangles = 500;
    return def;
}

} // namespace

TEST_CASE("a cloth falls over a swaying body and never intersects it or itself") {
    test::Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const SceneDef def = chosen();
    constexpr int steps = 240, frame = 4, falling = 8;
    Scene scene(context, def);
    const float start = scene.lowest();
    Times times{};
    std::size_t touched = 0, most_crossed = 0;
    float stretch = 0;
    double speed = 0, fallen = 0;
    for (int step = 1; step <= steps; ++step) {
        scene.advance(times);
        if (step % frame == 0) most_crossed = std::max(most_crossed, scene.intersections());
        touched = std::max(touched, scene.near_body());
        stretch = std::max(stretch, scene.fabric().longest_stretch());
        if (step > falling) continue;
        // Nothing but gravity and drag so far.
        speed = speed * (1 - double{Fabric::drag} * def.step) + double{def.gravity} * def.step;
        fallen += speed * def.step;
        for (const cli::Vec3 p : scene.fabric().mesh().positions) CHECK_NEAR(start - p.y, fallen, 1e-5);
    }
    CHECK(most_crossed == 0);
    CHECK(touched > scene.fabric().mesh().positions.size());
    // The middle lies on the body and the rim hangs down; it does not fall off.
    CHECK(start - scene.lowest() > 0.5f);
    CHECK(scene.highest() > 0);
    CHECK(stretch < 0.25f);
    // The body does not wait for the cloth for long.
    CHECK(scene.body_time() > 0.9f * steps * def.step);
    for (const cli::Vec3 p : scene.fabric().mesh().positions) CHECK(is_finite(p));
    std::printf("%zu triangles, %zu near the body, %zu near itself, stretch %.3f, from %.3f down to %.3f, body at %.3f s\n",
                scene.fabric().mesh().triangles.size(), touched, scene.near_itself(), static_cast<double>(stretch),
                static_cast<double>(scene.highest()), static_cast<double>(scene.lowest()), static_cast<double>(scene.body_time()));
}

// The check above could not fail if the exact queries saw nothing.
TEST_CASE("a cloth inside of the body is found to intersect it") {
    test::Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    SceneDef def = chosen();
    def.lift = -0.8f;
    CHECK(Scene(context, def).intersections() > 0);
}
