// What Jolt gets of Proxel: contacts where they are, under names that stay, on its own threads.
#include "space.hpp"
#include "witness.hpp"

#include <Jolt/Physics/Collision/CastResult.h>
#include <Jolt/Physics/Collision/CollideShape.h>
#include <Jolt/Physics/Collision/CollisionCollectorImpl.h>
#include <Jolt/Physics/Collision/CollisionDispatch.h>
#include <Jolt/Physics/Collision/ContactListener.h>
#include <Jolt/Physics/Collision/RayCast.h>
#include <Jolt/Physics/Collision/Shape/ScaledShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>

#include <atomic>

namespace {

// Counts what Jolt's contact cache makes of the contacts.
struct Listener final : JPH::ContactListener {
    std::atomic<int> added{0}, persisted{0}, removed{0};
    void OnContactAdded(const JPH::Body&, const JPH::Body&, const JPH::ContactManifold&, JPH::ContactSettings&) override { ++added; }
    void OnContactPersisted(const JPH::Body&, const JPH::Body&, const JPH::ContactManifold&, JPH::ContactSettings&) override { ++persisted; }
    void OnContactRemoved(const JPH::SubShapeIDPair&) override { ++removed; }
};

using Hits = JPH::AllHitCollisionCollector<JPH::CollideShapeCollector>;

void collide(const JPH::Shape* a, const JPH::Shape* b, JPH::Vec3Arg second, Hits& hits) {
    JPH::CollideShapeSettings settings;
    settings.mMaxSeparationDistance = 0.02f;
    const JPH::Vec3 one = JPH::Vec3::sReplicate(1);
    JPH::CollisionDispatch::sCollideShapeVsShape(a, b, one, one, JPH::Mat44::sIdentity(), JPH::Mat44::sTranslation(second), {}, {}, settings, hits);
}

} // namespace

// A cube from -1 to 1 on another that is 1.99 higher.
TEST_CASE("two cubes meet where they do, at any scale and by Jolt's own code") {
    test::Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    test::Space space;
    jolt::NarrowPhase narrow_phase(context, space.system);
    const auto cube = test::solid(context, cli::box(12), 64);
    JPH::RefConst<JPH::Shape> shape = new jolt::SolidShape(cube, narrow_phase);
    CHECK_NEAR(shape->GetVolume(), 8, 1e-5);
    CHECK_NEAR(shape->GetMassProperties().mMass, 8000, 1e-2);
    CHECK_NEAR(shape->GetMassProperties().mInertia(1, 1), 8000 * 2.0 / 3, 1e-1); // m (a^2 + b^2) / 12 with sides of 2

    Hits hits;
    collide(shape, shape, {0, 1.99f, 0}, hits);
    CHECK_EQ(hits.mHits.size(), 4);
    for (const JPH::CollideShapeResult& hit : hits.mHits) {
        CHECK_NEAR(hit.mPenetrationDepth, 0.01, 1e-4);
        CHECK(hit.mPenetrationAxis.Normalized().IsClose({0, 1, 0}, 1e-6f));
        // A level surface inside of the other body ends as far inside of the corner as it is deep (docs/contacts.md).
        CHECK_NEAR(std::abs(hit.mContactPointOn1.GetX()), 0.99, 1e-3);
        CHECK_NEAR(std::abs(hit.mContactPointOn1.GetZ()), 0.99, 1e-3);
        CHECK_NEAR(hit.mContactPointOn1.GetY(), 1, 1e-4);
        CHECK_NEAR(hit.mContactPointOn2.GetY(), 0.99, 1e-4);
    }
    // Half as large, by Jolt's decorator: its side is at 1.49 - 0.5.
    Hits small;
    JPH::RefConst<JPH::Shape> half = new JPH::ScaledShape(shape, JPH::Vec3::sReplicate(0.5f));
    collide(shape, half, {0, 1.49f, 0}, small);
    CHECK_EQ(small.mHits.size(), 4);
    for (const JPH::CollideShapeResult& hit : small.mHits) CHECK_NEAR(hit.mPenetrationDepth, 0.01, 1e-4);
    // A ball of Jolt's, in both orders, and a ray.
    JPH::RefConst<JPH::Shape> ball = new JPH::SphereShape(0.5f);
    for (const bool turned : {false, true}) {
        Hits round;
        collide(turned ? shape.GetPtr() : ball.GetPtr(), turned ? ball.GetPtr() : shape.GetPtr(), {0, turned ? 1.48f : -1.48f, 0}, round);
        CHECK(round.mHits.size() >= 1);
        for (const JPH::CollideShapeResult& hit : round.mHits) CHECK_NEAR(hit.mPenetrationDepth, 0.02, 1e-3);
    }
    JPH::RayCastResult hit;
    CHECK(shape->CastRay({{0.2f, 3, 0.3f}, {0, -4, 0}}, {}, hit));
    CHECK_NEAR(hit.mFraction, 0.5, 1e-4);
    CHECK(shape->GetSurfaceNormal(hit.mSubShapeID2, {0.2f, 1, 0.3f}).IsClose({0, 1, 0}, 1e-6f));
    CHECK(shape->GetSurfaceNormal(hits.mHits[0].mSubShapeID1, {0.9f, 1, 0.8f}).IsClose({0, 1, 0}, 1e-6f));
}

TEST_CASE("contacts persist under their names, asked for ahead or not") {
    test::Witness witness;
    test::Space space;
    PrxContextDef def = witness.def();
    jolt::run_on(space.jobs, def); // Proxel's work runs on Jolt's threads
    const proxel::Context context = NEED(proxel::Context::open(def));
    jolt::NarrowPhase narrow_phase(context, space.system);
    JPH::PhysicsSettings physics;
    physics.mUseBodyPairContactCache = false; // what Jolt keeps by itself would persist anyway
    space.system.SetPhysicsSettings(physics);
    Listener listener;
    space.system.SetContactListener(&listener);
    const auto cube = test::solid(context, cli::box(12), 64);
    JPH::RefConst<JPH::Shape> shape = new jolt::SolidShape(cube, narrow_phase), other = new jolt::SolidShape(cube, narrow_phase);
    for (const double far_away : {0.0, sizeof(JPH::Real) == 8 ? 1e6 : 0.0}) { // in doubles a thousand kilometres are no matter
        for (const bool ahead : {true, false}) {
            narrow_phase.ahead = ahead;
            listener.added = listener.persisted = listener.removed = 0;
            const auto base = static_cast<JPH::Real>(far_away);
            const JPH::BodyID ground = space.add(shape, {base, 0, base}, JPH::EMotionType::Static), box = space.add(other, {base, JPH::Real(2.001), base});
            for (int i = 0; i < 60; ++i) space.step();
            CHECK_EQ(narrow_phase.trouble(), "");
            CHECK_NEAR(space.system.GetBodyInterface().GetPosition(box).GetY(), 2, 0.021); // Jolt leaves a slop of 0.02
            CHECK_EQ(listener.added.load(), 4);
            CHECK_EQ(listener.removed.load(), 0);
            CHECK(listener.persisted >= 4 * 58);
            for (const JPH::BodyID id : {ground, box}) {
                space.system.GetBodyInterface().RemoveBody(id);
                space.system.GetBodyInterface().DestroyBody(id);
            }
            space.step();
        }
    }
}
