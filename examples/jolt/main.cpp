// A knot falls onto a knot in Jolt: two meshes that move, which Jolt by itself does not let touch.
#include "jobs.hpp"
#include "library.hpp"
#include "narrow_phase.hpp"

#include "mesh/shapes.hpp"

#include <Jolt/Core/JobSystemThreadPool.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/PhysicsSettings.h>
#include <Jolt/Physics/PhysicsSystem.h>

#include <cstdio>
#include <exception>

namespace {

// One layer, for bodies that all may meet.
struct Layers final : JPH::BroadPhaseLayerInterface, JPH::ObjectVsBroadPhaseLayerFilter, JPH::ObjectLayerPairFilter {
    JPH::uint GetNumBroadPhaseLayers() const override { return 1; }
    JPH::BroadPhaseLayer GetBroadPhaseLayer(JPH::ObjectLayer) const override { return JPH::BroadPhaseLayer(0); }
    bool ShouldCollide(JPH::ObjectLayer, JPH::BroadPhaseLayer) const override { return true; }
    bool ShouldCollide(JPH::ObjectLayer, JPH::ObjectLayer) const override { return true; }
};

void run() {
    jolt::Library library; // RegisterTypes, and the collision functions of solids
    JPH::TempAllocatorImpl memory(16 << 20);
    JPH::JobSystemThreadPool jobs(JPH::cMaxPhysicsJobs, JPH::cMaxPhysicsBarriers, 2);
    Layers layers;
    JPH::PhysicsSystem system;
    system.Init(1024, 0, 4096, 4096, layers, layers, layers);

    PrxContextDef def = prx_context_def_default();
    jolt::run_on(jobs, def); // Proxel's work on Jolt's threads
    const proxel::Context context = proxel::Context::open(def).value();
    jolt::NarrowPhase narrow_phase(context, system);

    JPH::VertexList vertices;
    JPH::IndexedTriangleList faces;
    const cli::Mesh mesh = cli::knot(2000);
    for (const cli::Vec3 p : mesh.positions) vertices.emplace_back(p.x, p.y, p.z);
    for (const cli::Triangle& t : mesh.triangles) faces.emplace_back(t[0], t[1], t[2]);
    auto solid = std::make_shared<const jolt::Solid>(context, vertices, faces, 64); // bakes the field, 64 cells long

    JPH::BodyInterface& bodies = system.GetBodyInterface();
    JPH::BodyCreationSettings lower(new jolt::SolidShape(solid, narrow_phase), JPH::RVec3(0, 0, 0), JPH::Quat::sIdentity(), JPH::EMotionType::Kinematic, 0);
    JPH::BodyCreationSettings upper(new jolt::SolidShape(solid, narrow_phase), JPH::RVec3(0, 3, 0), JPH::Quat::sRotation(JPH::Vec3::sAxisX(), 1), JPH::EMotionType::Dynamic, 0);
    lower.mUseManifoldReduction = upper.mUseManifoldReduction = false; // every contact counts: Proxel has reduced them
    const JPH::BodyID ids[] = {bodies.CreateAndAddBody(lower, JPH::EActivation::Activate), bodies.CreateAndAddBody(upper, JPH::EActivation::Activate)};
    for (int i = 0; i <= 120; ++i) {
        system.Update(1.0f / 60, 1, &memory, &jobs);
        if (i % 20 == 0)
            std::printf("step %3d: height %6.3f, %s\n", i, double(bodies.GetPosition(ids[1]).GetY()),
                        system.WereBodiesInContact(ids[0], ids[1]) ? "in contact" : "apart");
    }
    for (const JPH::BodyID id : ids) {
        bodies.RemoveBody(id);
        bodies.DestroyBody(id);
    }
}

} // namespace

int main() {
    try {
        run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
