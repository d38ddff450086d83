// Scenes in Bullet.
#include "world.hpp"

#include "dispatcher.hpp"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

#include <algorithm>

namespace scenes {
namespace {

cli::Vec3 vector(const btVector3& p) { return {p.x(), p.y(), p.z()}; }
btQuaternion turn_of(const cli::Pose& pose) { return {pose.turn.x, pose.turn.y, pose.turn.z, pose.scalar}; }

class BulletWorld final : public World {
public:
    BulletWorld(const proxel::Context& context, const Settings& settings, bool gimpact)
        : World(context), settings_(settings), dispatcher_(make_dispatcher(gimpact)) {
        world_.setGravity({0, -btScalar(gravity), 0});
        world_.getSolverInfo().m_numIterations = settings.iterations;
        world_.getSolverInfo().m_warmstartingFactor = 1; // a pull along a chain is not found anew in each step
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
    void step() override {
        world_.stepSimulation(settings_.time_step, 0);
        if (proxel_ != nullptr && !proxel_->trouble.empty()) proxel::raise({PRX_STATUS_INTERNAL, proxel_->trouble});
    }

    cli::Pose pose(std::size_t body) const override {
        const btTransform& at = rigid_[body]->getWorldTransform(); // of the centre of mass
        const btQuaternion turn = at.getRotation();
        cli::Pose pose{{}, {turn.x(), turn.y(), turn.z()}, turn.w()};
        pose.translation = vector(at.getOrigin()) - cli::rotate(pose, shape_of(body).centre);
        return pose;
    }
    cli::Vec3 velocity(std::size_t body) const override { return vector(rigid_[body]->getLinearVelocity()); }
    cli::Vec3 spin(std::size_t body) const override { return vector(rigid_[body]->getAngularVelocity()); }
    std::size_t pairs_asked() const override { return proxel_ != nullptr ? proxel_->asked.size() : 0; }

private:
    std::unique_ptr<btCollisionDispatcher> make_dispatcher(bool gimpact) {
        if (gimpact) {
            auto made = std::make_unique<btCollisionDispatcher>(&configuration_);
            btGImpactCollisionAlgorithm::registerAlgorithm(made.get());
            return made;
        }
        auto made = std::make_unique<bullet::Dispatcher>(&configuration_, context_);
        made->reach = settings_.reach;
        made->slack = settings_.slack;
        made->def.patches = settings_.patches;
        made->def.sampling = settings_.sampling;
        proxel_ = made.get();
        return made;
    }

    // What a shape is made of, whichever narrow phase it is for.
    struct Made {
        std::unique_ptr<bullet::CentredMesh> centred; // of GImpact
        std::unique_ptr<btCollisionShape> shape;
        btVector3 unit_inertia;
    };

    void make_shape(const Shape& shape) override {
        Made made;
        if (proxel_ != nullptr) {
            auto solid = std::make_unique<bullet::SolidShape>(context_, shape.def.mesh, shape.def.resolution);
            solid->setMargin(shape.def.thickness);
            made.unit_inertia = solid->unit_inertia;
            made.shape = std::move(solid);
        } else {
            made.centred = std::make_unique<bullet::CentredMesh>(context_, shape.def.mesh);
            auto gimpact = std::make_unique<btGImpactMeshShape>(&made.centred->triangles);
            gimpact->setMargin(std::max(shape.def.thickness, 0.5f * settings_.reach)); // it makes contacts where margins overlap
            gimpact->updateBound();
            made.unit_inertia = made.centred->unit_inertia;
            made.shape = std::move(gimpact);
        }
        shapes_.push_back(std::move(made));
    }
    void make_body(const BodyDef& def, const Shape&, cli::Vec3 centre) override {
        const Made& made = shapes_[def.shape];
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(def.mass), nullptr, made.shape.get(), btScalar(def.mass) * made.unit_inertia);
        info.m_startWorldTransform = btTransform(turn_of(def.pose), bullet::vector(centre));
        info.m_friction = def.friction;
        info.m_linearDamping = info.m_angularDamping = def.damping;
        rigid_.push_back(std::make_unique<btRigidBody>(info));
        if (!settings_.sleeping) rigid_.back()->setActivationState(DISABLE_DEACTIVATION);
        world_.addRigidBody(rigid_.back().get());
    }

    Settings settings_;
    btDefaultCollisionConfiguration configuration_;
    bullet::Dispatcher* proxel_ = nullptr; // the dispatcher, or none
    std::unique_ptr<btCollisionDispatcher> dispatcher_;
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_{dispatcher_.get(), &broadphase_, &solver_, &configuration_};
    std::vector<Made> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> rigid_;
    std::vector<std::unique_ptr<btHingeConstraint>> hinges_;
};

} // namespace

std::unique_ptr<World> bullet_world(const proxel::Context& context, const Settings& settings) {
    return std::make_unique<BulletWorld>(context, settings, false);
}
std::unique_ptr<World> gimpact_world(const proxel::Context& context, const Settings& settings) {
    return std::make_unique<BulletWorld>(context, settings, true);
}

} // namespace scenes
