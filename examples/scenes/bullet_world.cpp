// Scenes in Bullet.
#include "world.hpp"

#include "dispatcher.hpp"

namespace scenes {
namespace {

cli::Vec3 vector(const btVector3& p) { return {p.x(), p.y(), p.z()}; }
btQuaternion turn_of(const cli::Pose& pose) { return {pose.turn.x, pose.turn.y, pose.turn.z, pose.scalar}; }

class BulletWorld final : public World {
public:
    BulletWorld(const proxel::Context& context, const Settings& settings)
        : World(context), settings_(settings), dispatcher_(&configuration_, context) {
        dispatcher_.reach = settings.reach;
        dispatcher_.slack = settings.slack;
        dispatcher_.def.patches = settings.patches;
        dispatcher_.def.sampling = settings.sampling;
        world_.setGravity({0, -btScalar(gravity), 0});
        world_.getSolverInfo().m_numIterations = settings.iterations;
        // Friction along two directions that stay: along the velocity of the moment, impulses of the last step would push aside.
        world_.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS | SOLVER_DISABLE_VELOCITY_DEPENDENT_FRICTION_DIRECTION;
    }
    ~BulletWorld() override {
        for (auto& hinge : hinges_) world_.removeConstraint(hinge.get());
        for (auto& body : rigid_) world_.removeRigidBody(body.get());
    }

    void hinge(std::size_t body, cli::Vec3 point, cli::Vec3 axis) override {
        btRigidBody& of = *rigid_[body];
        const btVector3 pivot = of.getWorldTransform().inverse() * bullet::vector(point);
        const btVector3 along = of.getWorldTransform().getBasis().transpose() * bullet::vector(axis);
        hinges_.push_back(std::make_unique<btHingeConstraint>(of, pivot, along));
        world_.addConstraint(hinges_.back().get());
    }
    void set_spin(std::size_t body, cli::Vec3 spin) override { rigid_[body]->setAngularVelocity(bullet::vector(spin)); }
    void set_velocity(std::size_t body, cli::Vec3 velocity) override { rigid_[body]->setLinearVelocity(bullet::vector(velocity)); }
    void step() override { world_.stepSimulation(settings_.time_step, 0); }

    cli::Pose pose(std::size_t body) const override {
        const btTransform& at = rigid_[body]->getWorldTransform(); // of the centre of mass
        const btQuaternion turn = at.getRotation();
        cli::Pose pose{{}, {turn.x(), turn.y(), turn.z()}, turn.w()};
        pose.translation = vector(at.getOrigin()) - cli::rotate(pose, shape_of(body).centre);
        return pose;
    }
    cli::Vec3 velocity(std::size_t body) const override { return vector(rigid_[body]->getLinearVelocity()); }
    cli::Vec3 spin(std::size_t body) const override { return vector(rigid_[body]->getAngularVelocity()); }
    std::size_t pairs_asked() const override { return dispatcher_.asked.size(); }

private:
    void make_shape(const Shape& shape) override {
        solids_.push_back(std::make_unique<bullet::SolidShape>(context_, shape.def.mesh, shape.def.resolution));
        solids_.back()->setMargin(shape.def.thickness);
    }
    void make_body(const BodyDef& def, const Shape&, cli::Vec3 centre) override {
        bullet::SolidShape& solid = *solids_[def.shape];
        btVector3 inertia(0, 0, 0);
        if (def.mass > 0) solid.calculateLocalInertia(btScalar(def.mass), inertia);
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(def.mass), nullptr, &solid, inertia);
        info.m_startWorldTransform = btTransform(turn_of(def.pose), bullet::vector(centre));
        info.m_friction = def.friction;
        info.m_linearDamping = info.m_angularDamping = def.damping;
        rigid_.push_back(std::make_unique<btRigidBody>(info));
        if (!settings_.sleeping) rigid_.back()->setActivationState(DISABLE_DEACTIVATION);
        world_.addRigidBody(rigid_.back().get());
    }

    Settings settings_;
    btDefaultCollisionConfiguration configuration_;
    bullet::Dispatcher dispatcher_;
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
    std::vector<std::unique_ptr<bullet::SolidShape>> solids_;
    std::vector<std::unique_ptr<btRigidBody>> rigid_;
    std::vector<std::unique_ptr<btHingeConstraint>> hinges_;
};

} // namespace

std::unique_ptr<World> bullet_world(const proxel::Context& context, const Settings& settings) {
    return std::make_unique<BulletWorld>(context, settings);
}

} // namespace scenes
