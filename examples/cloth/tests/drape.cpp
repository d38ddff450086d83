// A cloth falls, drapes over a swaying body and over itself, and nothing passes through anything.
#include "scene.hpp"
#include "witness.hpp"

#include <cmath>
#include <cstring>

using namespace drape;

TEST_CASE("a cloth falls over a swaying body and never intersects it or itself") {
    test::Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    Scene scene(context, SceneDef{});
    const SceneDef def;
    CHECK(scene.fabric().mesh().triangles.size() >= 10'000);
    const float start = scene.lowest();
    Times times{};
    std::size_t touched = 0, folded = 0, crossed = 0;
    float stretch = 0;
    for (int step = 1; step <= 240; ++step) {
        scene.advance(times);
        // A frame is four steps.
        if (step % 4 == 0) crossed += scene.intersections();
        touched = std::max(touched, scene.near_body());
        folded = std::max(folded, scene.near_itself());
        stretch = std::max(stretch, scene.fabric().longest_stretch());
        if (step == 8) {
            // Free fall so far, but for some drag: after n steps g dt^2 n (n + 1) / 2.
            const double fallen = double{def.gravity} * def.step * def.step * 8 * 9 / 2;
            CHECK_NEAR(start - scene.lowest(), fallen, 0.01 * fallen);
        }
    }
    CHECK(crossed == 0);
    CHECK(touched > 200);
    CHECK(folded > 200);
    // The middle lies on the body and the rim hangs down.
    CHECK(start - scene.lowest() > 0.5f);
    CHECK(stretch < 0.25f);
    // The cloth does not hold the body up.
    CHECK(scene.body_time() > 0.9f * 240 * def.step);
    for (const cli::Vec3 p : scene.fabric().mesh().positions) CHECK(is_finite(p));
    std::printf("%zu near the body, %zu near itself, stretch %.3f, body at %.3f s\n", touched, folded, static_cast<double>(stretch),
                static_cast<double>(scene.body_time()));
}
