// A closed mesh of any shape, made ready for contacts: Proxel's mesh and field of it, and Jolt's mesh for rays and convex shapes.
#pragma once

#include <proxel.hpp>

#include <Jolt/Jolt.h>
#include <Jolt/Core/Reference.h>
#include <Jolt/Geometry/IndexedTriangle.h>
#include <Jolt/Physics/Collision/Shape/MeshShape.h>

#include <memory>

namespace jolt {

// Shapes of any number of physics systems share one.
struct Solid {
    // Bakes the field, `resolution` cells along its longest side. Throws proxel::Error, or what Jolt says of the mesh.
    Solid(const proxel::Context& context, const JPH::VertexList& vertices, const JPH::IndexedTriangleList& faces, std::uint32_t resolution);

    PrxContext* context; // a number that is looked up, so it may be destroyed first
    proxel::Mesh mesh;
    proxel::Field field;
    PrxMeshFacts facts;
    JPH::Vec3 centre;                         // of mass, in the mesh's own frame
    JPH::RefConst<JPH::Shape> triangles;      // about the centre of mass, as Jolt wants all shapes
    float radius = 0;                         // every vertex is within this distance of the centre
};

} // namespace jolt
