#include "solid_shape.hpp"

#include "narrow_phase.hpp"

#include <Jolt/Geometry/ClosestPoint.h>
#include <Jolt/Geometry/Plane.h>
#include <Jolt/Physics/Collision/PhysicsMaterial.h>
#include <Jolt/Physics/Collision/RayCast.h>

#include <algorithm>

namespace jolt {
namespace {

constexpr JPH::uint number_bits = 16; // of contacts

// Whether a sub-shape id names a triangle; `rest` is Jolt's own id of it.
bool is_triangle(const JPH::SubShapeID& id, JPH::SubShapeID& rest) { return id.PopID(1, rest) == 0; }

} // namespace

SolidShape::SolidShape(std::shared_ptr<const Solid> solid, const NarrowPhase& narrow_phase, float thickness)
    : Shape(JPH::EShapeType::User1, type), solid_(std::move(solid)), answers_(narrow_phase.answers()), thickness_(thickness) {}

JPH::SubShapeIDCreator SolidShape::contact_id(const JPH::SubShapeIDCreator& path, std::uint32_t number) {
    return path.PushID(1, 1).PushID(number & ((1u << number_bits) - 1), number_bits);
}

JPH::AABox SolidShape::GetLocalBounds() const {
    JPH::AABox box = triangles().GetLocalBounds();
    box.ExpandBy(JPH::Vec3::sReplicate(thickness_));
    return box;
}

JPH::uint SolidShape::GetSubShapeIDBitsRecursive() const { return 1 + std::max(triangles().GetSubShapeIDBitsRecursive(), number_bits); }

JPH::MassProperties SolidShape::GetMassProperties() const {
    constexpr double density = 1000; // what Jolt takes for its own shapes
    JPH::MassProperties properties;
    properties.mMass = float(density * solid_->facts.volume);
    properties.mInertia = JPH::Mat44::sIdentity();
    for (JPH::uint row = 0; row < 3; ++row)
        for (JPH::uint column = 0; column < 3; ++column) properties.mInertia(row, column) = float(density * solid_->facts.inertia[row][column]);
    return properties;
}

const JPH::PhysicsMaterial* SolidShape::GetMaterial(const JPH::SubShapeID&) const { return JPH::PhysicsMaterial::sDefault; }

// Of a contact's point: the normal of the triangle that is nearest to it.
JPH::Vec3 SolidShape::GetSurfaceNormal(const JPH::SubShapeID& id, JPH::Vec3Arg position) const {
    JPH::SubShapeID rest;
    if (is_triangle(id, rest)) return triangles().GetSurfaceNormal(rest, position);
    GetTrianglesContext context;
    const float reach = 0.1f * solid_->radius;
    triangles().GetTrianglesStart(context, JPH::AABox(position - JPH::Vec3::sReplicate(reach), position + JPH::Vec3::sReplicate(reach)),
                                  JPH::Vec3::sZero(), JPH::Quat::sIdentity(), JPH::Vec3::sReplicate(1));
    JPH::Float3 corners[3 * cGetTrianglesMinTrianglesRequested];
    JPH::Vec3 normal = position.NormalizedOr(JPH::Vec3::sAxisY());
    float nearest = reach;
    for (int count; (count = triangles().GetTrianglesNext(context, cGetTrianglesMinTrianglesRequested, corners)) > 0;) {
        for (int i = 0; i < count; ++i) {
            const JPH::Vec3 a(corners[3 * i]), b(corners[3 * i + 1]), c(corners[3 * i + 2]);
            const JPH::Vec3 across = (b - a).Cross(c - a).NormalizedOr(JPH::Vec3::sZero());
            JPH::uint32 set = 0;
            const float distance = JPH::ClosestPoint::GetClosestPointOnTriangle(a - position, b - position, c - position, set).Length();
            if (distance < nearest) nearest = distance, normal = across;
        }
    }
    return normal;
}

void SolidShape::GetSupportingFace(const JPH::SubShapeID& id, JPH::Vec3Arg direction, JPH::Vec3Arg scale, JPH::Mat44Arg transform,
                                   SupportingFace& out) const {
    JPH::SubShapeID rest;
    if (is_triangle(id, rest)) triangles().GetSupportingFace(rest, direction, scale, transform, out);
}

// Of a ball around it: enough to float.
void SolidShape::GetSubmergedVolume(JPH::Mat44Arg transform, JPH::Vec3Arg scale, const JPH::Plane& surface, float& total, float& submerged,
                                    JPH::Vec3& centre JPH_IF_DEBUG_RENDERER(, JPH::RVec3Arg)) const {
    total = float(solid_->facts.volume) * scale.GetX() * scale.GetY() * scale.GetZ();
    const float radius = solid_->radius * scale.GetX();
    const float depth = std::clamp(-surface.SignedDistance(transform.GetTranslation()) / radius, -1.0f, 1.0f);
    submerged = total * (2 + 3 * depth - depth * depth * depth) / 4; // a ball's
    centre = transform.GetTranslation();
}

#ifdef JPH_DEBUG_RENDERER
void SolidShape::Draw(JPH::DebugRenderer* renderer, JPH::RMat44Arg transform, JPH::Vec3Arg scale, JPH::ColorArg colour, bool materials,
                      bool wireframe) const {
    triangles().Draw(renderer, transform, scale, colour, materials, wireframe);
}
#endif

bool SolidShape::CastRay(const JPH::RayCast& ray, const JPH::SubShapeIDCreator& path, JPH::RayCastResult& hit) const {
    return triangles().CastRay(ray, triangle_id(path), hit);
}

void SolidShape::CastRay(const JPH::RayCast& ray, const JPH::RayCastSettings& settings, const JPH::SubShapeIDCreator& path,
                         JPH::CastRayCollector& collector, const JPH::ShapeFilter& filter) const {
    triangles().CastRay(ray, settings, triangle_id(path), collector, filter);
}

void SolidShape::CollidePoint(JPH::Vec3Arg point, const JPH::SubShapeIDCreator& path, JPH::CollidePointCollector& collector,
                              const JPH::ShapeFilter& filter) const {
    triangles().CollidePoint(point, triangle_id(path), collector, filter);
}

void SolidShape::CollideSoftBodyVertices(JPH::Mat44Arg transform, JPH::Vec3Arg scale, JPH::SoftBodyVertex* vertices, JPH::uint count, float time,
                                         JPH::Vec3Arg gravity, int index) const {
    triangles().CollideSoftBodyVertices(transform, scale, vertices, count, time, gravity, index);
}

void SolidShape::GetTrianglesStart(GetTrianglesContext& context, const JPH::AABox& box, JPH::Vec3Arg position, JPH::QuatArg rotation,
                                   JPH::Vec3Arg scale) const {
    triangles().GetTrianglesStart(context, box, position, rotation, scale);
}

int SolidShape::GetTrianglesNext(GetTrianglesContext& context, int most, JPH::Float3* out, const JPH::PhysicsMaterial** materials) const {
    return triangles().GetTrianglesNext(context, most, out, materials);
}

bool SolidShape::IsValidScale(JPH::Vec3Arg scale) const {
    return scale.GetX() > 0 && (scale - JPH::Vec3::sReplicate(scale.GetX())).IsNearZero(1e-8f);
}

} // namespace jolt
