// CGAL's self-intersections of a surface mesh: exact predicates, boxes sorted anew each turn.
#define CGAL_LINKED_WITH_TBB 1
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>
#include <tbb/global_control.h>

#include "contestant.hpp"
#include "mesh.hpp"
#include "poses.hpp"

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;
using Face = Surface::Face_index;

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        Mesh mesh = read_mesh(arguments.text("mesh"));
        double wave = std::stod(arguments.text("wave"));
        long threads = arguments.number("threads");
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        Surface surface;
        for (const auto& p : mesh.points) surface.add_vertex({p[0], p[1], p[2]});
        for (const auto& t : mesh.triangles)
            if (surface.add_face(Surface::Vertex_index(t[0]), Surface::Vertex_index(t[1]), Surface::Vertex_index(t[2])) == Surface::null_face())
                throw std::runtime_error("CGAL takes manifold meshes only");
        // Pairs that share a vertex are not counted: the other contestants do not test them.
        auto apart = [&](const std::pair<Face, Face>& pair) {
            for (auto i : mesh.triangles[pair.first])
                for (auto j : mesh.triangles[pair.second])
                    if (i == j) return false;
            return true;
        };
        contest::compete("CGAL " + std::to_string(CGAL_VERSION_MAJOR) + "." + std::to_string(CGAL_VERSION_MINOR), [&](const contest::Turn& turn) {
            auto moved = deformed(mesh, Pose{}, turn, wave);
            for (size_t i = 0; i < moved.size(); ++i) surface.point(Surface::Vertex_index(i)) = {moved[i][0], moved[i][1], moved[i][2]};
            std::vector<std::pair<Face, Face>> pairs;
            double seconds = contest::seconds_of([&] {
                namespace pmp = CGAL::Polygon_mesh_processing;
                if (threads == 1)
                    pmp::self_intersections<CGAL::Sequential_tag>(surface, std::back_inserter(pairs));
                else
                    pmp::self_intersections<CGAL::Parallel_tag>(surface, std::back_inserter(pairs));
            });
            return contest::Sample{seconds, {double(std::count_if(pairs.begin(), pairs.end(), apart))}};
        });
    });
}
