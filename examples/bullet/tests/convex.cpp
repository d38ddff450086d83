// Bullet's own shapes meet a solid by Bullet's own ways: a ball and a box land on a rabbit that does not move.
#include "dispatcher.hpp"
#include "mesh/shapes.hpp"
#include "witness.hpp"

#include <memory>

using namespace bullet;

TEST_CASE("convex shapes fall onto a rabbit") {
    test::Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    btDefaultCollisionConfiguration configuration;
    Dispatcher dispatcher(&configuration, context);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity({0, btScalar(-9.81), 0});

    SolidShape shape(context, cli::rabbit(800), 32);
    btVector3 low, high;
    shape.getAabb(btTransform::getIdentity(), low, high);
    btRigidBody rabbit(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &shape));
    world.addRigidBody(&rabbit);
    btSphereShape ball_shape(btScalar(0.2));
    btBoxShape box_shape({btScalar(0.2), btScalar(0.1), btScalar(0.2)});
    std::vector<std::unique_ptr<btRigidBody>> falling;
    for (btConvexShape* convex : {static_cast<btConvexShape*>(&ball_shape), static_cast<btConvexShape*>(&box_shape)}) {
        btVector3 inertia;
        convex->calculateLocalInertia(1, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, convex, inertia);
        info.m_startWorldTransform.setOrigin({btScalar(-0.2), high.y() + btScalar(0.4) * static_cast<btScalar>(falling.size() + 1), 0});
        falling.push_back(std::make_unique<btRigidBody>(info));
        world.addRigidBody(falling.back().get());
    }
    // Each is stopped by the rabbit: at some time it touches and is slower than gravity alone would have made it.
    bool touched = false;
    for (int i = 1; i <= 90; ++i) {
        world.stepSimulation(btScalar(1) / 120, 0);
        const btScalar free_fall = btScalar(9.81) * static_cast<btScalar>(i) / 120;
        touched = touched || falling[0]->getLinearVelocity().length() < btScalar(0.5) * free_fall;
        // The ball's middle never comes nearer to the surface than its radius, but for what the solver leaves.
        const btVector3 at = falling[0]->getWorldTransform().getOrigin();
        const cli::Vec3 centre{at.x(), at.y(), at.z()};
        CHECK(NEED(shape.field().sample(proxel::Positions(&centre, 1)))[0].upper > 0.15);
    }
    CHECK(touched);
    for (auto& body : falling) world.removeRigidBody(body.get());
    world.removeRigidBody(&rabbit);
}
