// CGAL's box_intersection_d: boxes of both meshes are made and sorted anew each turn, which is all it knows; exact_pair.hpp decides the
// triangles.
#define CGAL_LINKED_WITH_TBB 1
#include <CGAL/Box_intersection_d/Box_with_handle_d.h>
#include <CGAL/box_intersection_d.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>

#include "contestant.hpp"
#include "exact_pair.hpp"
#include "mesh.hpp"
#include "poses.hpp"

namespace {

using Corners = std::array<Point, 3>;
using Box = CGAL::Box_intersection_d::Box_with_handle_d<float, 3, const Corners*>;

void place(const Mesh& mesh, const std::vector<Point>& points, std::vector<Corners>& corners, std::vector<Box>& boxes) {
    corners.resize(mesh.triangles.size());
    boxes.clear();
    for (size_t t = 0; t < corners.size(); ++t) {
        for (int k = 0; k < 3; ++k) corners[t][k] = points[mesh.triangles[t][k]];
        const Corners& c = corners[t];
        float low[3], high[3];
        for (int i = 0; i < 3; ++i) low[i] = std::min({c[0][i], c[1][i], c[2][i]}), high[i] = std::max({c[0][i], c[1][i], c[2][i]});
        boxes.emplace_back(low, high, &c);
    }
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const bool deforms = arguments.text("mode") == "refit";
        const std::string motion = arguments.text("motion", "through");
        const long threads = arguments.number("threads");
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        std::vector<Corners> corners_a, corners_b;
        std::vector<Box> boxes_a, boxes_b;
        place(mesh, mesh.points, corners_a, boxes_a);
        // Below this many boxes it compares all with all along one axis; the default of 10 takes several times as long here.
        const std::ptrdiff_t cutoff = std::stol(arguments.text("cutoff", "4000"));
        contest::compete("CGAL " + std::to_string(CGAL_VERSION_MAJOR) + "." + std::to_string(CGAL_VERSION_MINOR), [&](const contest::Turn& turn) {
            const auto moved = deformed(mesh, pose_of(motion, mesh, turn), turn, deforms ? 0.02 : 0.0);
            place(mesh, moved, corners_b, boxes_b);
            size_t found = 0;
            contest::Sample sample = contest::shortest_of(2, [&] {
                if (deforms) place(mesh, moved, corners_b, boxes_b);
                tbb::enumerable_thread_specific<size_t> counts(size_t{0});
                const auto pair = [&](const Box& s, const Box& t) { counts.local() += cross(s.handle()->data(), t.handle()->data()); };
                if (threads == 1)
                    CGAL::box_intersection_d<CGAL::Sequential_tag>(boxes_a.begin(), boxes_a.end(), boxes_b.begin(), boxes_b.end(), pair, cutoff);
                else
                    CGAL::box_intersection_d<CGAL::Parallel_tag>(boxes_a.begin(), boxes_a.end(), boxes_b.begin(), boxes_b.end(), pair, cutoff);
                found = counts.combine(std::plus<size_t>());
            });
            sample.answer = {double(found)};
            return sample;
        });
    });
}
