#include "solid_shape.hpp"

#include "mesh/moments.hpp"

namespace bullet {

CentredMesh::CentredMesh(cli::Mesh from) : mesh(std::move(from)), centre(cli::Moments(mesh).centre()) {
    for (cli::Vec3& p : mesh.positions) {
        p = p - centre;
        btSetMax(radius, vector(p).length());
    }
    const cli::Moments moments(mesh);
    const auto spread = [&](int axis) { return static_cast<btScalar>(moments.second[axis][axis] / moments.volume); };
    unit_inertia = {spread(1) + spread(2), spread(2) + spread(0), spread(0) + spread(1)};
    btIndexedMesh view;
    view.m_numTriangles = static_cast<int>(mesh.triangles.size());
    view.m_triangleIndexBase = reinterpret_cast<const unsigned char*>(mesh.triangles.data());
    view.m_triangleIndexStride = sizeof(cli::Triangle);
    view.m_numVertices = static_cast<int>(mesh.positions.size());
    view.m_vertexBase = reinterpret_cast<const unsigned char*>(mesh.positions.data());
    view.m_vertexStride = sizeof(cli::Vec3);
    triangles.addIndexedMesh(view);
}

SolidShape::SolidShape(const proxel::Context& context, cli::Mesh from, std::uint32_t field_resolution)
    : CentredMesh(std::move(from)), btBvhTriangleMeshShape(&triangles, true), device_mesh_(context.mesh(mesh.positions, mesh.triangles).value()) {
    m_shapeType = type;
    PrxFieldDef def = prx_field_def_default();
    def.resolution = field_resolution;
    field_ = context.bake(device_mesh_, def).value();
    field_.wait().value();
}

} // namespace bullet
