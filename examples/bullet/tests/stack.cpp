// Ten boxes on each other stay where they are.
#include "mesh/shapes.hpp"
#include "witness.hpp"
#include "world.hpp"

#include <algorithm>
#include <cmath>

using namespace bullet;

namespace {

constexpr int boxes = 10;
constexpr btScalar margin = btScalar(0.005);

} // namespace

// Boxes of a metre: no more than a millimetre aside per metre of height in ten seconds.
TEST_CASE("ten boxes stay on each other") {
    test::Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    World world(context);
    world.world.getSolverInfo().m_numIterations = 50;
    btStaticPlaneShape ground({0, 1, 0}, 0);
    world.add(ground, 0, {0, 0, 0}, btScalar(0.6));
    cli::Mesh cube = cli::box(12);
    for (cli::Vec3& p : cube.positions) p = 0.5f * p;
    SolidShape shape(context, cube, 128);
    shape.setMargin(margin);
    std::vector<btRigidBody*> stack;
    for (int i = 0; i < boxes; ++i) {
        const btScalar height = margin + btScalar(0.5) + static_cast<btScalar>(i) * (1 + 2 * margin);
        stack.push_back(&world.add(shape, 1, {0, height, 0}, btScalar(0.6)));
    }
    // By how much of its height a box is aside and too low or high, and how far it is tilted.
    double aside = 0, sunk = 0, tilted = 0;
    for (int i = 0; i < 1200; ++i) {
        world.step();
        for (int k = 0; k < boxes; ++k) {
            const btTransform& at = stack[static_cast<std::size_t>(k)]->getWorldTransform();
            const double height = margin + 0.5 + k * (1.0 + 2.0 * margin);
            aside = std::max(aside, std::hypot(at.getOrigin().x(), at.getOrigin().z()) / height);
            sunk = std::max(sunk, std::fabs(at.getOrigin().y() - height) / height);
            const btQuaternion turn = at.getRotation();
            tilted = std::max<double>(tilted, 2 * btVector3(turn.x(), turn.y(), turn.z()).length());
        }
    }
    CHECK(aside < 1e-3);
    CHECK(sunk < 1e-3);
    CHECK(tilted < 2e-3);
    // Four contacts between two boxes, all of them straight up.
    int points = 0;
    for (int m = 0; m < world.dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(m);
        for (int i = 0; i < manifold.getNumContacts(); ++i, ++points) CHECK(btFabs(manifold.getContactPoint(i).m_normalWorldOnB.y()) > 0.9999);
    }
    CHECK_EQ(points, 4 * boxes);
    std::printf("ten boxes in 10 s: aside by %.3g of the height, too low or high by %.3g of it, tilted by %.3g\n", aside, sunk, tilted);
}
