#include "solid_shape.hpp"

namespace bullet {

CentredMesh::CentredMesh(const proxel::Context& context, cli::Mesh from)
    : mesh(std::move(from)), triangles(int(mesh.triangles.size()), reinterpret_cast<int*>(mesh.triangles.data()), sizeof(cli::Triangle),
                                       int(mesh.positions.size()), &mesh.positions.data()->x, sizeof(cli::Vec3)) {
    const PrxMeshFacts facts = context.mesh(mesh.positions, mesh.triangles).value().facts().value();
    const double* c = facts.center_of_mass;
    centre = {float(c[0]), float(c[1]), float(c[2])};
    for (cli::Vec3& p : mesh.positions) {
        p = p - centre;
        btSetMax(radius, vector(p).length());
    }
    for (int i = 0; i < 3; ++i) unit_inertia[i] = btScalar(facts.inertia[i][i] / facts.volume);
}

SolidShape::SolidShape(const proxel::Context& context, cli::Mesh from, std::uint32_t field_resolution)
    : CentredMesh(context, std::move(from)), btBvhTriangleMeshShape(&triangles, true), device_mesh_(context.mesh(mesh.positions, mesh.triangles).value()) {
    m_shapeType = type;
    PrxFieldDef def = prx_field_def_default();
    def.resolution = field_resolution;
    field_ = context.bake(device_mesh_, def).value();
    field_.wait().value();
}

const SolidShape* SolidShape::of(const btCollisionObject& object) {
    const btCollisionShape* shape = object.getCollisionShape();
    return shape->getShapeType() == type ? static_cast<const SolidShape*>(shape) : nullptr;
}

PrxBody SolidShape::body(const btTransform& at) const {
    PrxBody body = proxel::at(proxel::body(device_mesh_, field_), at.getOrigin(), at.getRotation());
    body.rest_offset = getMargin();
    return body;
}

} // namespace bullet
