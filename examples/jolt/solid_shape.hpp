// A Jolt shape of any closed mesh, convex or not, for bodies that move: what Proxel finds becomes Jolt's contacts.
// Each body has one of its own, by which Jolt's collision functions know it; the solids in them are shared.
#pragma once

#include "solid.hpp"

#include <Jolt/Physics/Collision/Shape/Shape.h>
#include <Jolt/Physics/Collision/Shape/SubShapeID.h>

namespace jolt {

class Answers; // of a NarrowPhase
class NarrowPhase;

class SolidShape final : public JPH::Shape {
public:
    static constexpr JPH::EShapeSubType type = JPH::EShapeSubType::User1;

    // For bodies of the physics system that `narrow_phase` serves. `thickness` is a skin around the surface.
    SolidShape(std::shared_ptr<const Solid> solid, const NarrowPhase& narrow_phase, float thickness = 0);

    // Tells Jolt how solids collide: once, after JPH::RegisterTypes.
    static void register_all();

    const Solid& solid() const { return *solid_; }
    const Answers& answers() const { return *answers_; }
    float thickness() const { return thickness_; }
    // A leaf of this shape: a contact of Proxel by its number, or a triangle.
    static JPH::SubShapeIDCreator contact_id(const JPH::SubShapeIDCreator& path, std::uint32_t number);
    static JPH::SubShapeIDCreator triangle_id(const JPH::SubShapeIDCreator& path) { return path.PushID(0, 1); }

    JPH::Vec3 GetCenterOfMass() const override { return solid_->centre; }
    JPH::AABox GetLocalBounds() const override;
    JPH::uint GetSubShapeIDBitsRecursive() const override;
    float GetInnerRadius() const override { return float(solid_->facts.volume / solid_->facts.area); } // at most: exact for a thin plate
    JPH::MassProperties GetMassProperties() const override;
    const JPH::PhysicsMaterial* GetMaterial(const JPH::SubShapeID& id) const override;
    JPH::Vec3 GetSurfaceNormal(const JPH::SubShapeID& id, JPH::Vec3Arg position) const override;
    void GetSupportingFace(const JPH::SubShapeID& id, JPH::Vec3Arg direction, JPH::Vec3Arg scale, JPH::Mat44Arg transform,
                           SupportingFace& out) const override;
    void GetSubmergedVolume(JPH::Mat44Arg transform, JPH::Vec3Arg scale, const JPH::Plane& surface, float& total, float& submerged,
                            JPH::Vec3& centre JPH_IF_DEBUG_RENDERER(, JPH::RVec3Arg base)) const override;
#ifdef JPH_DEBUG_RENDERER
    void Draw(JPH::DebugRenderer* renderer, JPH::RMat44Arg transform, JPH::Vec3Arg scale, JPH::ColorArg colour, bool materials,
              bool wireframe) const override;
#endif
    bool CastRay(const JPH::RayCast& ray, const JPH::SubShapeIDCreator& path, JPH::RayCastResult& hit) const override;
    void CastRay(const JPH::RayCast& ray, const JPH::RayCastSettings& settings, const JPH::SubShapeIDCreator& path,
                 JPH::CastRayCollector& collector, const JPH::ShapeFilter& filter = {}) const override;
    void CollidePoint(JPH::Vec3Arg point, const JPH::SubShapeIDCreator& path, JPH::CollidePointCollector& collector,
                      const JPH::ShapeFilter& filter = {}) const override;
    void CollideSoftBodyVertices(JPH::Mat44Arg transform, JPH::Vec3Arg scale, JPH::SoftBodyVertex* vertices, JPH::uint count, float time,
                                 JPH::Vec3Arg gravity, int index) const override;
    void GetTrianglesStart(GetTrianglesContext& context, const JPH::AABox& box, JPH::Vec3Arg position, JPH::QuatArg rotation,
                           JPH::Vec3Arg scale) const override;
    int GetTrianglesNext(GetTrianglesContext& context, int most, JPH::Float3* out, const JPH::PhysicsMaterial** materials = nullptr) const override;
    Stats GetStats() const override { return {sizeof *this, solid_->facts.triangle_count}; }
    float GetVolume() const override { return float(solid_->facts.volume); }
    bool IsValidScale(JPH::Vec3Arg scale) const override; // uniform, and no mirror

private:
    const JPH::Shape& triangles() const { return *solid_->triangles; }

    std::shared_ptr<const Solid> solid_;
    std::shared_ptr<const Answers> answers_;
    float thickness_;
};

} // namespace jolt
