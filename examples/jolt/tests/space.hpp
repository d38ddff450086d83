// A physics system with Proxel as its narrow phase, for a test.
#pragma once

#include "jobs.hpp"
#include "library.hpp"
#include "mesh/shapes.hpp"
#include "narrow_phase.hpp"

#include <Jolt/Core/JobSystemThreadPool.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/PhysicsSettings.h>
#include <Jolt/Physics/PhysicsSystem.h>

namespace test {

inline std::shared_ptr<const jolt::Solid> solid(const proxel::Context& context, const cli::Mesh& mesh, std::uint32_t resolution) {
    JPH::VertexList vertices;
    JPH::IndexedTriangleList faces;
    for (const cli::Vec3 p : mesh.positions) vertices.emplace_back(p.x, p.y, p.z);
    for (const cli::Triangle& t : mesh.triangles) faces.emplace_back(t[0], t[1], t[2]);
    return std::make_shared<const jolt::Solid>(context, vertices, faces, resolution);
}

// Everything may meet everything.
struct OneLayer final : JPH::BroadPhaseLayerInterface, JPH::ObjectVsBroadPhaseLayerFilter, JPH::ObjectLayerPairFilter {
    JPH::uint GetNumBroadPhaseLayers() const override { return 1; }
    JPH::BroadPhaseLayer GetBroadPhaseLayer(JPH::ObjectLayer) const override { return JPH::BroadPhaseLayer(0); }
    bool ShouldCollide(JPH::ObjectLayer, JPH::BroadPhaseLayer) const override { return true; }
    bool ShouldCollide(JPH::ObjectLayer, JPH::ObjectLayer) const override { return true; }
};

struct Space {
    jolt::Library library;
    OneLayer layers;
    JPH::TempAllocatorImpl memory{8 << 20};
    JPH::JobSystemThreadPool jobs{JPH::cMaxPhysicsJobs, JPH::cMaxPhysicsBarriers, 2};
    JPH::PhysicsSystem system;

    Space() { system.Init(256, 0, 1024, 4096, layers, layers, layers); }

    JPH::BodyID add(const JPH::Shape* shape, JPH::RVec3Arg where, JPH::EMotionType motion = JPH::EMotionType::Dynamic) {
        JPH::BodyCreationSettings body(shape, where, JPH::Quat::sIdentity(), motion, 0);
        body.mUseManifoldReduction = false;
        body.mAllowSleeping = false;
        return system.GetBodyInterface().CreateAndAddBody(body, JPH::EActivation::Activate);
    }
    void step() { system.Update(1.0f / 60, 1, &memory, &jobs); }
};

} // namespace test
