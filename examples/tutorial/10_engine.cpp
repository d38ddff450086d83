#include "dispatcher.hpp"

#include "mesh/shapes.hpp"

#include <cmath>
#include <cstdio>
#include <memory>

int main() {
    proxel::Context context = proxel::Context::open().value();

    // Bullet as everyone sets it up, with another dispatcher.
    btDefaultCollisionConfiguration configuration;
    bullet::Dispatcher dispatcher(&configuration, context);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);

    btStaticPlaneShape plane({0, 1, 0}, 0);
    btRigidBody floor(0, nullptr, &plane);
    world.addRigidBody(&floor);

    // Rings, which Bullet itself would have to cut into convex pieces. One baked field serves all of them.
    bullet::SolidShape ring(context, cli::torus(2000), 64);
    btVector3 inertia;
    ring.calculateLocalInertia(1, inertia);
    std::vector<std::unique_ptr<btRigidBody>> rings;
    const btQuaternion flat({1, 0, 0}, SIMD_HALF_PI);
    for (int i = 0; i < 5; ++i) {
        const btScalar n = btScalar(i);
        rings.push_back(std::make_unique<btRigidBody>(1, nullptr, &ring, inertia));
        rings.back()->setWorldTransform(btTransform(flat, {btScalar(0.05) * n, btScalar(0.4) + btScalar(0.7) * n, 0}));
        rings.back()->setFriction(btScalar(0.6));
        world.addRigidBody(rings.back().get());
    }
    for (int frame = 0; frame < 600; ++frame) world.stepSimulation(btScalar(1) / 120, 0);
    for (const auto& body : rings)
        std::printf("a ring at height %.2f, speed %.2f\n", body->getWorldTransform().getOrigin().y(), body->getLinearVelocity().length());
    for (const auto& body : rings) world.removeRigidBody(body.get());
    world.removeRigidBody(&floor);
}
