// Scenes in Jolt.
#include "world.hpp"

#include "jobs.hpp"
#include "library.hpp"
#include "narrow_phase.hpp"

#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/StaticCompoundShape.h>
#include <Jolt/Physics/Constraints/HingeConstraint.h>
#include <Jolt/Physics/PhysicsSettings.h>
#include <Jolt/Physics/PhysicsSystem.h>

namespace scenes {
namespace {

JPH::Vec3 vector(cli::Vec3 p) { return {p.x, p.y, p.z}; }
cli::Vec3 vector(JPH::Vec3Arg p) { return {p.GetX(), p.GetY(), p.GetZ()}; }

class JoltWorld final : public World {
public:
    JoltWorld(const proxel::Context& context, const Settings& settings, const Cut& cut)
        : World(context), settings_(settings), cut_(cut), jobs_(JPH::cMaxPhysicsJobs), memory_(64 << 20) {
        system_.Init(4096, 0, 16384, 32768, layers_, layers_, layers_);
        system_.SetGravity({0, -float(gravity), 0});
        JPH::PhysicsSettings physics;
        physics.mNumVelocitySteps = JPH::uint(settings.iterations);
        physics.mPenetrationSlop = 0.1f * settings.reach; // Proxel's depths are exact, so little need be left
        physics.mUseBodyPairContactCache = bool(cut_);    // Proxel's pairs know better how long contacts hold
        system_.SetPhysicsSettings(physics);
        narrow_phase_ = std::make_unique<jolt::NarrowPhase>(context, system_);
        narrow_phase_->asking.reach = settings.reach;
        narrow_phase_->asking.slack = settings.slack;
        narrow_phase_->asking.def.patches = settings.patches;
        narrow_phase_->asking.def.sampling = settings.sampling;
    }
    ~JoltWorld() override {
        for (auto& hinge : hinges_) system_.RemoveConstraint(hinge);
        for (const JPH::BodyID id : ids_) {
            system_.GetBodyInterface().RemoveBody(id);
            system_.GetBodyInterface().DestroyBody(id);
        }
    }

    void hinge(std::size_t body, cli::Vec3 point, cli::Vec3 axis) override {
        JPH::HingeConstraintSettings settings;
        settings.mPoint1 = settings.mPoint2 = JPH::RVec3(vector(point));
        settings.mHingeAxis1 = settings.mHingeAxis2 = vector(axis);
        settings.mNormalAxis1 = settings.mNormalAxis2 = vector(cli::any_perpendicular(axis));
        JPH::BodyLockWrite lock(system_.GetBodyLockInterface(), ids_[body]);
        hinges_.push_back(settings.Create(JPH::Body::sFixedToWorld, lock.GetBody()));
        system_.AddConstraint(hinges_.back());
    }
    void set_spin(std::size_t body, cli::Vec3 spin) override { system_.GetBodyInterface().SetAngularVelocity(ids_[body], vector(spin)); }
    void set_velocity(std::size_t body, cli::Vec3 velocity) override {
        system_.GetBodyInterface().SetLinearVelocity(ids_[body], vector(velocity));
    }
    void step() override {
        system_.Update(settings_.time_step, 1, &memory_, &jobs_);
        if (!narrow_phase_->trouble().empty()) proxel::raise({PRX_STATUS_INTERNAL, narrow_phase_->trouble()});
    }

    cli::Pose pose(std::size_t body) const override {
        JPH::RVec3 position;
        JPH::Quat turn;
        system_.GetBodyInterface().GetPositionAndRotation(ids_[body], position, turn);
        return {vector(JPH::Vec3(position)), vector(turn.GetXYZ()), turn.GetW()};
    }
    cli::Vec3 velocity(std::size_t body) const override { return vector(system_.GetBodyInterface().GetLinearVelocity(ids_[body])); }
    cli::Vec3 spin(std::size_t body) const override { return vector(system_.GetBodyInterface().GetAngularVelocity(ids_[body])); }
    std::size_t pairs_asked() const override { return narrow_phase_->pairs_asked(); }

private:
    // Layer 0 stays and layer 1 moves; what stays meets only what moves.
    struct Layers final : JPH::BroadPhaseLayerInterface, JPH::ObjectVsBroadPhaseLayerFilter, JPH::ObjectLayerPairFilter {
        JPH::uint GetNumBroadPhaseLayers() const override { return 2; }
        JPH::BroadPhaseLayer GetBroadPhaseLayer(JPH::ObjectLayer layer) const override {
            return JPH::BroadPhaseLayer(JPH::BroadPhaseLayer::Type(layer));
        }
        bool ShouldCollide(JPH::ObjectLayer a, JPH::BroadPhaseLayer b) const override { return a == 1 || b == JPH::BroadPhaseLayer(1); }
        bool ShouldCollide(JPH::ObjectLayer a, JPH::ObjectLayer b) const override { return a == 1 || b == 1; }
    };

    void make_pieces(const Shape& shape) {
        JPH::StaticCompoundShapeSettings compound;
        for (const cli::Mesh& piece : cut_(shape.def.mesh)) {
            JPH::Array<JPH::Vec3> points;
            for (const cli::Vec3 p : piece.positions) points.push_back(vector(p));
            compound.AddShape(JPH::Vec3::sZero(), JPH::Quat::sIdentity(), new JPH::ConvexHullShapeSettings(points, 0.5f * settings_.reach));
        }
        const JPH::ShapeSettings::ShapeResult made = compound.Create();
        if (made.HasError()) proxel::raise({PRX_STATUS_INVALID_ARGUMENT, made.GetError().c_str()});
        compounds_.push_back(made.Get());
    }
    void make_shape(const Shape& shape) override {
        if (cut_) return make_pieces(shape);
        JPH::VertexList vertices;
        JPH::IndexedTriangleList faces;
        for (const cli::Vec3 p : shape.def.mesh.positions) vertices.emplace_back(p.x, p.y, p.z);
        for (const cli::Triangle& t : shape.def.mesh.triangles) faces.emplace_back(t[0], t[1], t[2]);
        solids_.push_back(std::make_shared<const jolt::Solid>(context_, vertices, faces, shape.def.resolution));
    }
    void make_body(const BodyDef& def, const Shape& shape, cli::Vec3) override {
        const bool stays = def.mass == 0;
        const cli::Pose& at = def.pose;
        JPH::ShapeRefC of = cut_ ? compounds_[def.shape] : JPH::ShapeRefC(new jolt::SolidShape(solids_[def.shape], *narrow_phase_, shape.def.thickness));
        JPH::BodyCreationSettings body(of, JPH::RVec3(vector(at.translation)), JPH::Quat(at.turn.x, at.turn.y, at.turn.z, at.scalar),
                                       stays ? JPH::EMotionType::Static : JPH::EMotionType::Dynamic, JPH::ObjectLayer(stays ? 0 : 1));
        body.mUseManifoldReduction = bool(cut_); // every contact of Proxel counts: it has reduced them
        body.mAllowSleeping = settings_.sleeping;
        body.mFriction = def.friction;
        body.mLinearDamping = body.mAngularDamping = def.damping;
        if (!stays) {
            body.mOverrideMassProperties = JPH::EOverrideMassProperties::CalculateInertia;
            body.mMassPropertiesOverride.mMass = float(def.mass);
        }
        ids_.push_back(system_.GetBodyInterface().CreateAndAddBody(body, stays ? JPH::EActivation::DontActivate : JPH::EActivation::Activate));
    }

    jolt::Library library_;
    Settings settings_;
    Cut cut_; // or none
    Layers layers_;
    JPH::JobSystemSingleThreaded jobs_; // scenes that run beside each other share two cores
    JPH::TempAllocatorImpl memory_;
    JPH::PhysicsSystem system_;
    std::unique_ptr<jolt::NarrowPhase> narrow_phase_;
    std::vector<std::shared_ptr<const jolt::Solid>> solids_;
    std::vector<JPH::ShapeRefC> compounds_;
    std::vector<JPH::BodyID> ids_;
    std::vector<JPH::Ref<JPH::Constraint>> hinges_;
};

} // namespace

std::unique_ptr<World> jolt_world(const proxel::Context& context, const Settings& settings) {
    return std::make_unique<JoltWorld>(context, settings, nullptr);
}
std::unique_ptr<World> jolt_pieces_world(const proxel::Context& context, const Settings& settings, const Cut& cut) {
    return std::make_unique<JoltWorld>(context, settings, cut);
}

} // namespace scenes
