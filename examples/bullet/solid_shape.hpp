// A Bullet collision shape of any closed mesh, convex or not, whose contacts Proxel finds. Any number of bodies share one.
#pragma once

#include "mesh/mesh.hpp"

#include <proxel.hpp>

#include <btBulletDynamicsCommon.h>

namespace bullet {

inline btVector3 vector(cli::Vec3 p) { return {p.x, p.y, p.z}; }

// A mesh that is moved so that its centre of mass is the origin, as Bullet wants it.
struct CentredMesh {
    cli::Mesh mesh;
    cli::Vec3 centre;       // where it was
    btVector3 unit_inertia; // the diagonal of the tensor for a mass of 1, spread evenly over the volume
    btScalar radius = 0;    // every vertex is within this distance of the origin
    btTriangleIndexVertexArray triangles;

    CentredMesh(const proxel::Context& context, cli::Mesh from);
};

// Bullet's own mesh for rays and convex shapes. FAST_CONCAVE_MESH_PROXYTYPE is the number that it sets aside for libraries from outside.
class SolidShape : public CentredMesh, public btBvhTriangleMeshShape {
public:
    static constexpr int type = FAST_CONCAVE_MESH_PROXYTYPE;

    SolidShape(const proxel::Context& context, cli::Mesh from, std::uint32_t field_resolution);
    static const SolidShape* of(const btCollisionObject& object); // null where it has another shape

    PrxBody body(const btTransform& at) const;

    const proxel::Mesh& device_mesh() const { return device_mesh_; }
    const proxel::Field& field() const { return field_; }
    void calculateLocalInertia(btScalar mass, btVector3& inertia) const override { inertia = mass * unit_inertia; }

private:
    proxel::Mesh device_mesh_;
    proxel::Field field_;
};

} // namespace bullet
