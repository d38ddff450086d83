// A pile of bodies that are not convex comes to rest, as deep in each other as nothing, and the same to the last bit each time.
#include "pile.hpp"
#include "witness.hpp"

#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>

using namespace bullet;

namespace {

constexpr int bodies = 10, steps = 600;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

} // namespace

TEST_CASE("a pile comes to rest") {
    test::Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const PileShapes shapes(context, 800, 48);
    Pile ours(context, shapes, Method::proxel, bodies), again(context, shapes, Method::proxel, bodies),
        gimpact(context, shapes, Method::gimpact, bodies);
    const double start = ours.energy();
    double least = start, rise = 0, deepest = 0, our_time = 0, gimpact_time = 0;
    for (int i = 1; i <= steps; ++i) {
        const double before = processor_seconds();
        ours.step();
        const double between = processor_seconds();
        gimpact.step();
        our_time += between - before;
        gimpact_time += processor_seconds() - between;
        again.step();
        least = std::min(least, ours.energy());
        rise = std::max(rise, ours.energy() - least);
        // Often enough while bodies are fast that none could pass through another between two looks.
        if (i % (i < 200 ? 10 : 50) == 0) deepest = std::max(deepest, ours.depth());
    }
    const std::vector<float> state = ours.state(), twin = again.state();
    for (const float number : state) CHECK(std::isfinite(number));
    CHECK((state.size() == twin.size() && std::memcmp(state.data(), twin.data(), state.size() * sizeof(float)) == 0));

    // The knot's tube is 0.32 thick: what is never a tenth of that deep has never been half way through.
    CHECK(deepest < 0.032);
    CHECK_EQ(ours.escape(), 0.0);
    // Contacts may push bodies apart, which lifts them a little; they must not throw them.
    CHECK(rise < 0.001 * start);
    CHECK(ours.energy() < 0.5 * start);
    // At rest: less than a hundredth of a per cent of what it fell with, and slower than a hand's breadth a second.
    CHECK(ours.kinetic_energy() < 1e-4 * start);
    CHECK(ours.speed() < 0.1);
    const double depth = ours.depth(), gimpact_depth = gimpact.depth();
    CHECK(depth <= gimpact_depth + 1e-4);

    std::printf("%d bodies, %d steps: processor time a step %.3f ms, GImpact %.3f ms; depth at rest %.5f, GImpact %.5f; deepest %.5f; "
                "kinetic energy %.2g J, GImpact %.2g J; energy from %.1f to %.1f J, rise %.2g J\n",
                bodies, steps, 1e3 * our_time / steps, 1e3 * gimpact_time / steps, depth, gimpact_depth, deepest,
                ours.kinetic_energy(), gimpact.kinetic_energy(), start, ours.energy(), rise);
}
