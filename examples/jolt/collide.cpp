// How solids meet each other and Jolt's own shapes.
#include "narrow_phase.hpp"

#include <Jolt/Physics/Collision/CastResult.h>
#include <Jolt/Physics/Collision/CollideShape.h>
#include <Jolt/Physics/Collision/CollisionDispatch.h>
#include <Jolt/Physics/Collision/ShapeCast.h>
#include <Jolt/Physics/Collision/TransformedShape.h>

namespace jolt {
namespace {

const SolidShape& solid(const JPH::Shape* shape) { return *static_cast<const SolidShape*>(shape); }

void collect(const Touch& touch, const Placing& placing, JPH::Vec3Arg origin, const JPH::SubShapeIDCreator& path1, const JPH::SubShapeIDCreator& path2,
             JPH::CollideShapeCollector& collector) {
    JPH::CollideShapeResult result = touch.result(placing, path1, path2);
    if (-result.mPenetrationDepth >= collector.GetEarlyOutFraction()) return;
    result.mContactPointOn1 += origin;
    result.mContactPointOn2 += origin;
    result.mBodyID2 = JPH::TransformedShape::sGetBodyID(collector.GetContext());
    collector.AddHit(result);
}

// Nobody asked ahead: parts of compound and scaled shapes, bodies that woke up during the step, and queries of the game.
void ask_now(const SolidShape& first, const SolidShape& second, const Placing& placing, JPH::Vec3Arg origin, float distance,
             const JPH::SubShapeIDCreator& path1, const JPH::SubShapeIDCreator& path2, JPH::CollideShapeCollector& collector) {
    PrxContactsDef def = prx_contacts_def_default();
    def.distance = distance;
    const PrxBody a = body_of(first, JPH::Vec3::sZero(), placing.turns[0], placing.scales[0]);
    const PrxBody b = body_of(second, placing.second, placing.turns[1], placing.scales[1]);
    PrxBatch* made = nullptr;
    if (prx_batch_create(first.solid().context, &made) != PRX_STATUS_OK) return;
    proxel::Batch batch(made);
    auto ticket = batch.contacts(a, b, def);
    if (!ticket || !batch.submit() || !batch.wait()) return;
    auto found = batch.read(ticket.value());
    if (!found) return;
    for (const PrxContact& contact : found.value().contacts) {
        if (collector.ShouldEarlyOut()) return;
        // Its feature names it, as nobody knows the last step's.
        const auto number = std::uint32_t((contact.key * 0x9e3779b97f4a7c15u) >> 48);
        collect(Touch(contact, placing, first, second, number), placing, origin, path1, path2, collector);
    }
}

void collide_solids(const JPH::Shape* shape1, const JPH::Shape* shape2, JPH::Vec3Arg scale1, JPH::Vec3Arg scale2, JPH::Mat44Arg transform1,
                    JPH::Mat44Arg transform2, const JPH::SubShapeIDCreator& path1, const JPH::SubShapeIDCreator& path2,
                    const JPH::CollideShapeSettings& settings, JPH::CollideShapeCollector& collector, const JPH::ShapeFilter&) {
    const SolidShape &first = solid(shape1), &second = solid(shape2);
    const JPH::Vec3 origin = transform1.GetTranslation();
    const Placing placing{{transform1.GetQuaternion().EnsureWPositive(), transform2.GetQuaternion().EnsureWPositive()},
                          transform2.GetTranslation() - origin,
                          {scale1.GetX(), scale2.GetX()}};
    const bool plain = placing.scales[0] == 1 && placing.scales[1] == 1;
    const Pair* pair = plain ? first.answers().find(&first, &second, placing) : nullptr;
    if (pair == nullptr) return ask_now(first, second, placing, origin, settings.mMaxSeparationDistance, path1, path2, collector);
    for (const Touch& touch : pair->touches()) {
        if (collector.ShouldEarlyOut()) return;
        collect(touch, placing, origin, path1, path2, collector);
    }
}

// Jolt's own code, for convex shapes against a mesh.
void collide_convex(const JPH::Shape* shape1, const JPH::Shape* shape2, JPH::Vec3Arg scale1, JPH::Vec3Arg scale2, JPH::Mat44Arg transform1,
                    JPH::Mat44Arg transform2, const JPH::SubShapeIDCreator& path1, const JPH::SubShapeIDCreator& path2,
                    const JPH::CollideShapeSettings& settings, JPH::CollideShapeCollector& collector, const JPH::ShapeFilter& filter) {
    JPH::CollisionDispatch::sCollideShapeVsShape(shape1, solid(shape2).solid().triangles, scale1, scale2, transform1, transform2, path1,
                                                 SolidShape::triangle_id(path2), settings, collector, filter);
}

void cast_convex(const JPH::ShapeCast& cast, const JPH::ShapeCastSettings& settings, const JPH::Shape* shape, JPH::Vec3Arg scale,
                 const JPH::ShapeFilter& filter, JPH::Mat44Arg transform, const JPH::SubShapeIDCreator& path1, const JPH::SubShapeIDCreator& path2,
                 JPH::CastShapeCollector& collector) {
    JPH::CollisionDispatch::sCastShapeVsShapeLocalSpace(cast, settings, solid(shape).solid().triangles, scale, filter, transform, path1,
                                                        SolidShape::triangle_id(path2), collector);
}

// Contacts are made as far ahead as a solid comes in a step, so that Jolt need not cast it.
void cast_solid(const JPH::ShapeCast&, const JPH::ShapeCastSettings&, const JPH::Shape*, JPH::Vec3Arg, const JPH::ShapeFilter&, JPH::Mat44Arg,
                const JPH::SubShapeIDCreator&, const JPH::SubShapeIDCreator&, JPH::CastShapeCollector&) {}

} // namespace

void SolidShape::register_all() {
    JPH::ShapeFunctions::sGet(type).mColor = JPH::Color::sOrange;
    JPH::CollisionDispatch::sRegisterCollideShape(type, type, collide_solids);
    JPH::CollisionDispatch::sRegisterCastShape(type, type, cast_solid);
    for (const JPH::EShapeSubType convex : JPH::sConvexSubShapeTypes) {
        JPH::CollisionDispatch::sRegisterCollideShape(convex, type, collide_convex);
        JPH::CollisionDispatch::sRegisterCollideShape(type, convex, JPH::CollisionDispatch::sReversedCollideShape);
        JPH::CollisionDispatch::sRegisterCastShape(convex, type, cast_convex);
        JPH::CollisionDispatch::sRegisterCastShape(type, convex, cast_solid);
    }
}

} // namespace jolt
