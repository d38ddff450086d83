// A Bullet world with Proxel as its narrow phase, for a test.
#pragma once

#include "dispatcher.hpp"

#include <memory>

struct World {
    static constexpr btScalar gravity = btScalar(9.81), time_step = btScalar(1) / 120;

    btDefaultCollisionConfiguration configuration;
    bullet::Dispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    btScalar damping = 0; // of bodies that are added after it is set

    explicit World(const proxel::Context& context) : dispatcher(&configuration, context) {
        world.setGravity({0, -gravity, 0});
        // Friction along two directions that stay: along the velocity of the moment, impulses of the last step would push aside.
        world.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS | SOLVER_DISABLE_VELOCITY_DEPENDENT_FRICTION_DIRECTION;
    }
    ~World() {
        for (auto& body : bodies) world.removeRigidBody(body.get());
    }

    // A body that never sleeps; one without mass stays where it is.
    btRigidBody& add(btCollisionShape& shape, btScalar mass, const btVector3& where, btScalar friction) {
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shape.calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
        info.m_startWorldTransform.setOrigin(where);
        info.m_friction = friction;
        info.m_linearDamping = info.m_angularDamping = damping;
        bodies.push_back(std::make_unique<btRigidBody>(info));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back().get());
        return *bodies.back();
    }
    void step() {
        world.stepSimulation(time_step, 0);
        if (!dispatcher.trouble.empty()) proxel::raise({PRX_STATUS_INTERNAL, dispatcher.trouble});
    }
};
