// A Bullet collision shape of any closed mesh, convex or not, whose contacts Proxel finds.
#pragma once

#include "mesh/mesh.hpp"

#include <proxel.hpp>

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

namespace bullet {

inline btVector3 vector(cli::Vec3 p) { return {p.x, p.y, p.z}; }

// Points in groups that lie together, so that one look at a group's middle can rule all of it out.
struct Cloud {
    struct Group {
        btVector3 centre;
        btScalar radius = 0; // every point of the group is within
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };
    std::vector<btVector3> points;
    std::vector<Group> groups;
    btScalar radius = 0; // every point is within this distance of the origin
};

// What Proxel keeps of a rigid body's shape: where its surface is, as a field, and the vertices to try on the fields of others.
// It is made once and shared by all bodies of that shape.
class Solid {
public:
    // The mesh's volume is moved to the origin, where Bullet wants the centre of mass.
    Solid(const proxel::Context& context, cli::Mesh mesh, std::uint32_t field_resolution);

    const cli::Mesh& mesh() const { return mesh_; }
    const proxel::Mesh& device_mesh() const { return device_mesh_; }
    const proxel::Field& field() const { return field_; }
    const Cloud& cloud() const { return cloud_; }
    btVector3 low() const { return low_; }
    btVector3 high() const { return high_; }
    // The diagonal of the inertia tensor for a mass of 1, spread evenly over the volume.
    btVector3 unit_inertia() const { return unit_inertia_; }

private:
    void centre();
    void gather_cloud(const proxel::Context& context);

    cli::Mesh mesh_;
    btVector3 low_, high_, unit_inertia_;
    proxel::Mesh device_mesh_;
    proxel::Field field_;
    Cloud cloud_;
};

// FAST_CONCAVE_MESH_PROXYTYPE is the number that Bullet sets aside for collision libraries from outside.
class SolidShape : public btConcaveShape {
public:
    static constexpr int type = FAST_CONCAVE_MESH_PROXYTYPE;

    explicit SolidShape(std::shared_ptr<const Solid> solid) : solid_(std::move(solid)) { m_shapeType = type; }

    const Solid& solid() const { return *solid_; }

    void getAabb(const btTransform& pose, btVector3& low, btVector3& high) const override;
    void calculateLocalInertia(btScalar mass, btVector3& inertia) const override { inertia = mass * solid_->unit_inertia(); }
    // For what Bullet itself does with triangles: rays, and convex shapes.
    void processAllTriangles(btTriangleCallback* callback, const btVector3& low, const btVector3& high) const override;
    const char* getName() const override { return "Proxel solid"; }
    // A field is baked for one size.
    void setLocalScaling(const btVector3&) override {}
    const btVector3& getLocalScaling() const override { return one_; }

private:
    std::shared_ptr<const Solid> solid_;
    btVector3 one_{1, 1, 1};
};

} // namespace bullet
