#include "solid_shape.hpp"

#include "mesh/moments.hpp"

namespace bullet {

void place(PrxBody& body, const btTransform& at) {
    const btQuaternion turn = at.getRotation();
    for (int i = 0; i < 3; ++i) body.position[i] = at.getOrigin()[i];
    for (int i = 0; i < 4; ++i) body.rotation[i] = turn[i];
}

CentredMesh::CentredMesh(cli::Mesh from)
    : mesh(std::move(from)), centre(cli::Moments(mesh).centre()),
      triangles(int(mesh.triangles.size()), reinterpret_cast<int*>(mesh.triangles.data()), sizeof(cli::Triangle), int(mesh.positions.size()),
                &mesh.positions.data()->x, sizeof(cli::Vec3)) {
    for (cli::Vec3& p : mesh.positions) {
        p = p - centre;
        btSetMax(radius, vector(p).length());
    }
    const cli::Moments moments(mesh);
    const auto spread = [&](int axis) { return static_cast<btScalar>(moments.second[axis][axis] / moments.volume); };
    unit_inertia = {spread(1) + spread(2), spread(2) + spread(0), spread(0) + spread(1)};
}

SolidShape::SolidShape(const proxel::Context& context, cli::Mesh from, std::uint32_t field_resolution)
    : CentredMesh(std::move(from)), btBvhTriangleMeshShape(&triangles, true), device_mesh_(context.mesh(mesh.positions, mesh.triangles).value()) {
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
    PrxBody body = proxel::body(device_mesh_, field_);
    body.rest_offset = getMargin();
    place(body, at);
    return body;
}

} // namespace bullet
