// What one would write by hand for these processors: a field in memory, sampled by vector instructions on all threads.
// query=proximity: the smallest distance over the vertices of the mesh, as in the paper's comparison (Morvan et al. 2008, section 5).
// query=penalty: the samples of ours, which are the middles of equal parts of each triangle that can penetrate.
// Its field is baked by the library; the time is its own.
#include <thread>

#include "contestant.hpp"
#include "native_field.hpp"

namespace {

using namespace native;

float nearest(const Field& field, const Place& place, const std::array<float, 3>* points, size_t count) {
    __m256 best = _mm256_set1_ps(INFINITY);
    for (size_t i = 0; i + 8 <= count; i += 8) {
        alignas(32) float x[8], y[8], z[8];
        for (int k = 0; k < 8; ++k) {
            alignas(16) float p[4];
            _mm_store_ps(p, place(load(points[i + k])));
            x[k] = p[0], y[k] = p[1], z[k] = p[2];
        }
        best = _mm256_min_ps(best, field.at(_mm256_load_ps(x), _mm256_load_ps(y), _mm256_load_ps(z)));
    }
    alignas(32) float lanes[8];
    _mm256_store_ps(lanes, best);
    return *std::min_element(lanes, lanes + 8);
}

struct Sum {
    Vec force = _mm_setzero_ps(), torque = _mm_setzero_ps();
    float area = 0, deepest = 0;
};

// The force on the part inside of a range of triangles, with a spring of stiffness 1.
Sum push(const Field& field, const Place& place, const std::vector<std::array<float, 3>>& points, const std::vector<std::array<uint32_t, 3>>& triangles,
         size_t begin, size_t end, float edge) {
    Sum sum;
    for (size_t i = begin; i < end; ++i) {
        const Vec a = place(load(points[triangles[i][0]])), b = place(load(points[triangles[i][1]])), c = place(load(points[triangles[i][2]]));
        const Vec middle = _mm_mul_ps(_mm_add_ps(_mm_add_ps(a, b), c), all(1.0f / 3));
        const float reach = std::max({size(_mm_sub_ps(a, middle)), size(_mm_sub_ps(b, middle)), size(_mm_sub_ps(c, middle))});
        const Vec here = field.at(middle);
        const float far = _mm_cvtss_f32(_mm_shuffle_ps(here, here, 0xff));
        if (far > reach + field.cell) continue;
        const Vec u = _mm_sub_ps(b, a), w = _mm_sub_ps(c, b);
        const float longest = std::max({size(u), size(w), size(_mm_sub_ps(a, c))});
        const float spacing = std::abs(far) > reach ? std::max(edge, 0.5f * field.cell) : edge;
        const int cells = std::max(int(std::ceil(longest / spacing)), 1);
        const float part = 1.0f / float(cells), area = 0.5f * size(cross(u, w)) * part * part;
        for (int row = 0; row < cells; ++row)
            for (int k = 0; k <= 2 * row; ++k) {
                const float third = k % 2 == 0 ? 1.0f / 3 : 2.0f / 3;
                const Vec p = _mm_fmadd_ps(all((float(row) + 1 - third) * part), u, _mm_fmadd_ps(all((float(k / 2) + third) * part), w, a));
                const Vec s = field.at(p);
                const float distance = _mm_cvtss_f32(_mm_shuffle_ps(s, s, 0xff));
                if (distance >= 0) continue;
                const Vec way = _mm_blend_ps(s, _mm_setzero_ps(), 8), towards = _mm_div_ps(way, all(std::max(size(way), 1e-12f)));
                const Vec q = _mm_fmadd_ps(all(-distance), towards, p), force = _mm_mul_ps(all(area * distance), towards);
                sum.force = _mm_add_ps(sum.force, force);
                sum.torque = _mm_add_ps(sum.torque, cross(q, force));
                sum.area += area;
                sum.deepest = std::max(sum.deepest, -distance);
            }
    }
    return sum;
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const std::string query = arguments.text("query"), motion = arguments.text("motion");
        const size_t threads = size_t(arguments.number("threads"));
        Context context(on_threads(arguments));
        const Field field(context, bake_field(context, mesh));
        // The edge of an equilateral triangle with the area of a pixel.
        const float domain = field.cell * float(std::max({field.sides[0], field.sides[1], field.sides[2]}) - 1);
        const float edge = 1.5197f * domain / float(arguments.number("resolution"));
        contest::compete("by hand, AVX2", [&](const contest::Turn& turn) {
            const Place place(pose_of(motion, mesh, turn));
            const auto points = deformed(mesh, Pose{}, turn, motion == "same" ? 0.0 : 0.02);
            double answer = 0;
            auto sample = contest::shortest_of(2, [&] {
                std::vector<double> parts(threads);
                std::vector<std::thread> workers;
                for (size_t t = 0; t < threads; ++t)
                    workers.emplace_back([&, t] {
                        const size_t items = query == "penalty" ? mesh.triangles.size() : points.size();
                        const size_t begin = items * t / threads, end = items * (t + 1) / threads;
                        parts[t] = query == "penalty" ? push(field, place, points, mesh.triangles, begin, end, edge).area
                                                      : nearest(field, place, points.data() + begin, end - begin);
                    });
                for (auto& worker : workers) worker.join();
                answer = query == "penalty" ? 0 : INFINITY;
                for (double part : parts) answer = query == "penalty" ? answer + part : std::min(answer, part);
            });
            sample.answer = {answer};
            return sample;
        });
    });
}
