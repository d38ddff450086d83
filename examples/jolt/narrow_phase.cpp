#include "narrow_phase.hpp"

#include <Jolt/Physics/Body/Body.h>
#include <Jolt/Physics/Body/BodyLockInterface.h>
#include <Jolt/Physics/Collision/BroadPhase/BroadPhaseQuery.h>
#include <Jolt/Physics/Collision/CollisionCollectorImpl.h>
#include <Jolt/Physics/PhysicsSystem.h>

#include <algorithm>

namespace jolt {
namespace {

const SolidShape* solid_of(const JPH::Body& body) {
    const JPH::Shape* shape = body.GetShape();
    return shape->GetSubType() == SolidShape::type ? static_cast<const SolidShape*>(shape) : nullptr;
}

// What turning and this step's gravity add to the velocity of the centre.
float speed(const JPH::Body& body, const JPH::PhysicsSystem& system, float time) {
    if (!body.IsDynamic()) return 0;
    return body.GetAngularVelocity().Length() * solid_of(body)->solid().radius + system.GetGravity().Length() * time;
}

// As PhysicsSystem::ProcessBodyPair places them.
Placing placing_of(const JPH::Body& first, const JPH::Body& second) {
    return {{first.GetRotation().EnsureWPositive(), second.GetRotation().EnsureWPositive()},
            JPH::Vec3(second.GetCenterOfMassPosition() - first.GetCenterOfMassPosition())};
}

bool same(const Placing& a, const Placing& b) {
    return a.second == b.second && a.turns[0].IsClose(b.turns[0], 1e-9f) && a.turns[1].IsClose(b.turns[1], 1e-9f);
}

} // namespace

void Answers::add(const SolidShape* first, const SolidShape* second, const Placing& placing, const Pair& pair) {
    const auto [at, fresh] = found_.emplace(std::make_pair(first, second), Found{placing, &pair});
    if (!fresh) at->second.pair = nullptr;
}

const Pair* Answers::find(const SolidShape* first, const SolidShape* second, const Placing& placing) const {
    const auto at = found_.find({first, second});
    return at != found_.end() && same(at->second.placing, placing) ? at->second.pair : nullptr;
}

NarrowPhase::NarrowPhase(const proxel::Context& context, JPH::PhysicsSystem& system)
    : system_(&system), context_(context.handle()), batch_(context.batch().value()) {
    system.AddStepListener(this);
}

NarrowPhase::~NarrowPhase() {
    if (system_ != nullptr) system_->RemoveStepListener(this);
    answers_->clear(); // shapes may live longer
}

void NarrowPhase::OnStep(float time, JPH::PhysicsSystem& system) {
    ++step_;
    asked_.clear();
    seen_.clear();
    answers_->clear();
    trouble_.clear();
    if (!ahead) return;
    const JPH::BodyLockInterfaceNoLock& bodies = system.GetBodyLockInterfaceNoLock(); // Jolt has locked all of them
    const JPH::BodyID* active = system.GetActiveBodiesUnsafe(JPH::EBodyType::RigidBody);
    for (JPH::uint32 i = 0; i < system.GetNumActiveBodies(JPH::EBodyType::RigidBody); ++i) {
        const JPH::Body& body = *bodies.TryGetBody(active[i]);
        if (solid_of(body) == nullptr) continue;
        JPH::AABox box = body.GetWorldSpaceBounds();
        const float margin = asking.reach + asking.slack + (body.GetLinearVelocity().Length() + speed(body, system, time)) * time;
        box.ExpandBy(JPH::Vec3::sReplicate(margin));
        JPH::AllHitCollisionCollector<JPH::CollideShapeBodyCollector> near;
        system.GetBroadPhaseQuery().CollideAABox(box, near, system.GetDefaultBroadPhaseLayerFilter(body.GetObjectLayer()),
                                                 system.GetDefaultLayerFilter(body.GetObjectLayer()));
        for (const JPH::BodyID id : near.mHits) {
            const JPH::Body& other = *bodies.TryGetBody(id);
            if (other.IsRigidBody() && solid_of(other) != nullptr && JPH::Body::sFindCollidingPairsCanCollide(body, other))
                visit(body, other, system, time);
        }
    }
    answer();
    for (const auto& [key, pair] : seen_) {
        const JPH::Body &first = *bodies.TryGetBody(key.first), &second = *bodies.TryGetBody(key.second);
        answers_->add(solid_of(first), solid_of(second), placing_of(first, second), *pair);
    }
    drop_old(system);
}

void NarrowPhase::visit(const JPH::Body& a, const JPH::Body& b, const JPH::PhysicsSystem& system, float time) {
    // Jolt's order of the two.
    const bool turned = a.GetMotionType() < b.GetMotionType() || (a.GetMotionType() == b.GetMotionType() && b.GetID() < a.GetID());
    const JPH::Body &first = turned ? b : a, &second = turned ? a : b;
    const Placing placing = placing_of(first, second);
    const float linear = (first.GetLinearVelocity() - second.GetLinearVelocity()).Length();
    const Key key(first.GetID(), second.GetID());
    Pair& pair = pairs_[key];
    pair.step = step_;
    seen_.emplace_back(key, &pair);
    const float closing = (linear + speed(first, system, time) + speed(second, system, time)) * time;
    if (pair.needs(*solid_of(first), *solid_of(second), placing, asking, closing)) asked_.push_back(&pair);
}

// A step must not throw: what fails is told by trouble().
void NarrowPhase::answer() {
    if (asked_.empty()) return;
    auto done = batch_.reset();
    for (Pair* pair : asked_)
        if (done) done = pair->record(batch_, asking);
    if (done) {
        if (auto submitted = batch_.submit(); !submitted) done = proxel::Failure{submitted.status(), submitted.message()};
    }
    if (done) {
        if (auto waited = batch_.wait(); !waited) done = proxel::Failure{waited.status(), waited.message()};
    }
    for (Pair* pair : asked_)
        if (done) done = pair->read(batch_);
    if (done) return;
    trouble_ = done.message();
    for (Pair* pair : asked_) pair->forget();
}

// Of bodies that left each other, or the world. Those of bodies asleep stay.
void NarrowPhase::drop_old(const JPH::PhysicsSystem& system) {
    const JPH::BodyLockInterfaceNoLock& bodies = system.GetBodyLockInterfaceNoLock();
    for (auto at = pairs_.begin(); at != pairs_.end();) {
        const JPH::Body *first = bodies.TryGetBody(at->first.first), *second = bodies.TryGetBody(at->first.second);
        const bool asleep = first != nullptr && second != nullptr && !first->IsActive() && !second->IsActive();
        at = at->second.step == step_ || asleep ? std::next(at) : pairs_.erase(at);
    }
}

} // namespace jolt
