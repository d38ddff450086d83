#include "solid.hpp"

#include <algorithm>
#include <stdexcept>

namespace jolt {

Solid::Solid(const proxel::Context& of, const JPH::VertexList& vertices, const JPH::IndexedTriangleList& faces, std::uint32_t resolution)
    : context(of.handle()) {
    std::vector<std::uint32_t> indices;
    for (const JPH::IndexedTriangle& face : faces) indices.insert(indices.end(), std::begin(face.mIdx), std::end(face.mIdx));
    mesh = of.mesh(vertices, indices).value();
    facts = mesh.facts().value();
    if (facts.closed == 0 || facts.oriented == 0 || facts.volume <= 0)
        throw std::invalid_argument("a solid's mesh must be closed, with all triangles facing outwards");
    PrxFieldDef bake = prx_field_def_default();
    bake.resolution = resolution;
    field = of.bake(mesh, bake).value();
    field.wait().value();

    const double* c = facts.center_of_mass;
    centre = JPH::Vec3(float(c[0]), float(c[1]), float(c[2]));
    JPH::VertexList about = vertices;
    for (JPH::Float3& v : about) {
        const JPH::Vec3 p = JPH::Vec3(v) - centre;
        p.StoreFloat3(&v);
        radius = std::max(radius, p.Length());
    }
    const JPH::ShapeSettings::ShapeResult made = JPH::MeshShapeSettings(about, faces).Create();
    if (made.HasError()) throw std::invalid_argument(made.GetError().c_str());
    triangles = made.Get();
}

} // namespace jolt
