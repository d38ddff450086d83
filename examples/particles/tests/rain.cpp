// Particles rain on a body that deforms: none stays inside, and none is deeper than it can have come in a frame.
#include "rain.hpp"
#include "witness.hpp"

#include <cmath>

TEST_CASE("particles bounce off a deforming body, and none is left inside") {
    test::Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    rain::RainDef def;
    def.particles = 4000;
    def.body_triangles = 1000;
    rain::Rain rain(context, def);
    rain::Times times;
    std::size_t touched = 0;
    double deepest = 0;
    for (int frame = 0; frame < 90; ++frame) {
        const float before = rain.fastest();
        rain.advance(times);
        touched += rain.inside();
        deepest = std::max(deepest, rain.deepest());
        // In a frame the way in is no longer than what the particle and the surface move.
        const double way = (before + rain.fastest() + def.gravity * def.step) * def.step;
        CHECK(rain.deepest() <= way + 1e-3);
        if (frame % 15 != 0) continue;
        // Winding numbers of the same mesh, which rays of an image and the processor decide.
        PrxLdiDef exact = prx_ldi_def_default();
        exact.flags = PRX_LDI_EXACT;
        const proxel::Containment left = NEED(context.contains(rain.mesh(), rain.particles(), exact));
        std::size_t inside = 0;
        for (const std::uint32_t bits : left.points) inside += bits & PRX_CONTAINMENT_INSIDE;
        // Where walls of the body are nearer to each other than 1e-4, what leaves one may enter the next.
        CHECK(inside <= rain.inside() / 100);
    }
    // All have fallen past the body, which covers more than a tenth of where they fall.
    CHECK(touched > def.particles / 10);
    CHECK(deepest > 0);
    for (const cli::Vec3 p : rain.particles()) CHECK(is_finite(p));
    std::printf("%zu touched, %.4f deep\n", touched, deepest);
}
