// CGAL's corefinement: what two closed meshes share, with the kernel of one's choice.
#pragma once

#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Surface_mesh.h>

#include "mesh.hpp"

template <class Kernel>
using SurfaceMesh = CGAL::Surface_mesh<typename Kernel::Point_3>;

template <class Kernel>
SurfaceMesh<Kernel> surface_of(const std::vector<std::array<float, 3>>& points, const std::vector<std::array<uint32_t, 3>>& triangles) {
    using Vertex = typename SurfaceMesh<Kernel>::Vertex_index;
    SurfaceMesh<Kernel> surface;
    for (const auto& p : points) surface.add_vertex(typename Kernel::Point_3(p[0], p[1], p[2]));
    for (const auto& t : triangles)
        if (surface.add_face(Vertex(t[0]), Vertex(t[1]), Vertex(t[2])) == SurfaceMesh<Kernel>::null_face())
            throw std::runtime_error("CGAL refuses a face: the mesh is not manifold");
    return surface;
}

// The volume of the intersection. Both surfaces are cut.
template <class Kernel>
typename Kernel::FT shared_volume(SurfaceMesh<Kernel>& a, SurfaceMesh<Kernel>& b) {
    namespace pmp = CGAL::Polygon_mesh_processing;
    SurfaceMesh<Kernel> shared;
    if (!pmp::corefine_and_compute_intersection(a, b, shared)) throw std::runtime_error("CGAL's intersection is not manifold");
    return pmp::volume(shared);
}
