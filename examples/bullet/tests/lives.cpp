// The engine comes and goes: nothing is left behind, and a device that goes first takes nobody along.
#include "witness.hpp"
#include "world.hpp"

#include "mesh/shapes.hpp"

#include <malloc.h>

#include <cmath>

namespace {

std::size_t in_use() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

// A cube that falls onto a cube, which stays.
struct Cubes {
    bullet::SolidShape shape;
    World world;
    btRigidBody& upper;

    explicit Cubes(const proxel::Context& context)
        : shape(context, cli::box(12), 16), world(context), upper((world.add(shape, 0, {0, 0, 0}, 0.5f), world.add(shape, 1, {0, btScalar(1.99), 0}, 0.5f))) {}
};

} // namespace

TEST_CASE("a hundred lives leave nothing") {
    test::Witness witness;
    std::size_t before = 0;
    for (int life = 0; life < 110; ++life) {
        {
            const proxel::Context context = NEED(proxel::Context::open(witness.def()));
            Cubes cubes(context);
            cubes.world.step();
            CHECK_EQ(cubes.world.dispatcher.asked.size(), 1u);
            cubes.world.step();
        }
        if (life == 9) before = in_use(); // by then the driver has what it keeps
    }
    const auto grown = static_cast<std::ptrdiff_t>(in_use() - before);
    std::printf("a hundred lives left %td bytes\n", grown);
    CHECK(grown < 100 * 200); // 200 bytes a life would be one forgotten object
}

TEST_CASE("the context goes first, with contacts") {
    test::Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def(PRX_SEVERITY_ERROR)));
    Cubes cubes(context);
    for (int i = 0; i < 3; ++i) cubes.world.step();
    const int contacts = cubes.world.dispatcher.getNumManifolds();
    CHECK(contacts > 0);
    context = proxel::Context();
    cubes.upper.setLinearVelocity({0, 1, 0}); // contacts must be asked for anew
    for (int i = 0; i < 3; ++i) {
        cubes.world.world.stepSimulation(World::time_step, 0);
        CHECK_EQ(cubes.world.dispatcher.getNumManifolds(), contacts);
    }
    CHECK(!cubes.world.dispatcher.trouble.empty());
    std::printf("without its context: %s\n", cubes.world.dispatcher.trouble.c_str());
    CHECK(std::isfinite(cubes.upper.getWorldTransform().getOrigin().y()));
}
