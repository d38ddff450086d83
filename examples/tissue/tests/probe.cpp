// A probe presses into tissue, rests, slides, rests and withdraws.
#include "scene.hpp"
#include "witness.hpp"

#include <cmath>

using namespace probing;

namespace {

void advance_until(Scene& scene, float time) {
    while (scene.time() < time) scene.advance();
}

} // namespace

TEST_CASE("a probe in tissue feels what the ground holds, and leaves no trace") {
    test::Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    SceneDef def;
    def.cells = 8;
    Scene scene(context, def);
    advance_until(scene, 0.1f);
    CHECK(length(scene.force_on_probe()) == 0);
    float pressed = 0;
    for (const float rest : {Scene::slides, Scene::leaves}) {
        advance_until(scene, rest);
        // At rest the probe pushes as hard as the ground holds: the tissue in between hands on what it gets.
        const Vec3 felt = scene.force_on_probe(), held = scene.force_on_anchors();
        std::printf("%.2f s: %zu contacts, felt %.4f %.4f %.4f, held %.4f %.4f %.4f, deepest %.5f, fastest %.5f\n", static_cast<double>(scene.time()),
                    scene.contacts(), static_cast<double>(felt.x), static_cast<double>(felt.y), static_cast<double>(felt.z),
                    static_cast<double>(held.x), static_cast<double>(held.y), static_cast<double>(held.z), static_cast<double>(scene.deepest()),
                    static_cast<double>(scene.tissue().fastest()));
        CHECK(felt.y > 0.1f);
        CHECK(length(felt + held) < 0.02f * length(felt));
        // No vertex moves by a thousandth in a step.
        CHECK(scene.tissue().fastest() * def.step < 0.001f);
        // No vertex is inside of the probe by a hundredth of its radius, and no vertex of the probe is inside of the tissue.
        CHECK(scene.deepest() < 0.01f * def.radius);
        CHECK_EQ(scene.vertices_inside(), 0u);
        pressed = std::max(pressed, felt.y);
    }
    advance_until(scene, Scene::gone + 1.0f);
    CHECK(length(scene.force_on_probe()) == 0);
    CHECK(length(scene.force_on_anchors()) < 0.02f * pressed);
    for (std::size_t v = 0; v < scene.tissue().at_rest().size(); ++v)
        CHECK(length(scene.tissue().surface().positions[v] - scene.tissue().at_rest()[v]) < 0.01f);
}

// The checks above could not fail if nothing were seen.
TEST_CASE("a probe that nothing pushes out is found inside of the tissue") {
    test::Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    SceneDef def;
    def.cells = 8;
    def.iterations = 0;
    Scene scene(context, def);
    CHECK(scene.deepest() < 0);
    CHECK_EQ(scene.vertices_inside(), 0u);
    advance_until(scene, Scene::pressed);
    CHECK(scene.deepest() > 0.1f);
    CHECK(scene.vertices_inside() > 0);
}
