// CGAL's corefinement: the volume that two deforming meshes share, both handed over anew. Predicates are exact; corners are rounded to doubles.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/version.h>

#include "cgal_boolean.hpp"
#include "contestant.hpp"
#include "poses.hpp"

int main(int count, char** words) {
    using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const std::string second = arguments.text("other", "");
        const Mesh other = second.empty() ? mesh : fitted(read_mesh(second), mesh);
        const std::string motion = "at_" + arguments.text("apart", "0.3");
        const double wave = std::stod(arguments.text("wave", "0.02"));
        contest::compete(std::string("CGAL ") + CGAL_STR(CGAL_VERSION), [&](const contest::Turn& turn) {
            const auto moved_a = deformed(mesh, Pose{}, turn, wave);
            const auto moved_b = deformed(other, pose_of(motion, mesh, turn), turn, wave);
            double volume = 0;
            auto sample = contest::Sample{contest::seconds_of([&] {
                auto a = surface_of<Kernel>(moved_a, mesh.triangles), b = surface_of<Kernel>(moved_b, other.triangles);
                volume = shared_volume<Kernel>(a, b);
            })};
            sample.answer = {volume};
            return sample;
        });
    });
}
