// CGAL's corefinement: the volume that two deforming meshes share, both handed over anew; of many pairs, the sum. Predicates are exact; corners are rounded to
// doubles.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/version.h>

#include "cgal_boolean.hpp"
#include "contestant.hpp"
#include "poses.hpp"
#include "volume_pairs.hpp"

int main(int count, char** words) {
    using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const std::string second = arguments.text("other", "");
        const Mesh other = second.empty() ? mesh : fitted(read_mesh(second), mesh);
        const VolumePairs pairs(arguments, mesh, other);
        contest::compete(std::string("CGAL ") + CGAL_STR(CGAL_VERSION), [&](const contest::Turn& turn) {
            const auto placed = pairs.placed(turn);
            double volume = 0;
            auto sample = contest::Sample{contest::seconds_of([&] {
                for (const auto& [first, second] : placed) {
                    auto a = surface_of<Kernel>(first, mesh.triangles), b = surface_of<Kernel>(second, other.triangles);
                    volume += shared_volume<Kernel>(a, b);
                }
            })};
            sample.answer = {volume};
            return sample;
        });
    });
}
