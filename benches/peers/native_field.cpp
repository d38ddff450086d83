// What one would write by hand for these processors: a field in memory, sampled by vector instructions on all threads.
// query=proximity: the smallest distance over the vertices of the mesh, as in the paper's comparison (Morvan et al. 2008, section 5).
// query=penalty: the samples of ours, which are the middles of equal parts of each triangle that can penetrate.
// Its field is baked by the library; the time is its own.
#include <immintrin.h>

#include <cmath>
#include <thread>

#include "../proxel/field.hpp"
#include "contestant.hpp"

namespace {

using Vec = __m128;

Vec vec(double x, double y, double z) { return _mm_set_ps(0, float(z), float(y), float(x)); }
Vec load(const std::array<float, 3>& p) { return _mm_set_ps(0, p[2], p[1], p[0]); }
Vec all(float x) { return _mm_set1_ps(x); }
float dot(Vec a, Vec b) { return _mm_cvtss_f32(_mm_dp_ps(a, b, 0x71)); }
float size(Vec a) { return std::sqrt(dot(a, a)); }
Vec cross(Vec a, Vec b) {
    const Vec c = _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 0, 2, 1)), d = _mm_shuffle_ps(b, b, _MM_SHUFFLE(3, 0, 2, 1));
    const Vec e = _mm_sub_ps(_mm_mul_ps(a, d), _mm_mul_ps(c, b));
    return _mm_shuffle_ps(e, e, _MM_SHUFFLE(3, 0, 2, 1));
}

// Nodes with the way outwards and the distance, which one load brings in.
struct Field {
    std::vector<std::array<float, 4>> nodes;
    std::vector<float> distances;
    int sides[3];
    Vec origin, last;
    float inverse, cell;

    Field(PrxContext* context, PrxField field) {
        PrxFieldInfo info;
        must(prx_field_info(context, field, &info), context);
        const PrxGrid& grid = info.grid;
        std::vector<std::array<float, 3>> points;
        for (int axis = 0; axis < 3; ++axis) sides[axis] = int(grid.nodes[axis]);
        for (int z = 0; z < sides[2]; ++z)
            for (int y = 0; y < sides[1]; ++y)
                for (int x = 0; x < sides[0]; ++x)
                    points.push_back({grid.origin[0] + x * grid.cell_size, grid.origin[1] + y * grid.cell_size, grid.origin[2] + z * grid.cell_size});
        std::vector<PrxSample> samples(points.size());
        must(prx_field_sample(context, field, nullptr, points.data(), uint32_t(points.size()), 12, samples.data()), context);
        for (const PrxSample& s : samples) {
            const float out = s.distance < 0 ? 1.0f : -1.0f;
            nodes.push_back({out * s.direction[0], out * s.direction[1], out * s.direction[2], s.distance});
            distances.push_back(s.distance);
        }
        origin = vec(grid.origin[0], grid.origin[1], grid.origin[2]);
        last = _mm_sub_ps(_mm_set_ps(1, float(sides[2]), float(sides[1]), float(sides[0])), all(1.001f));
        cell = grid.cell_size;
        inverse = 1.0f / cell;
    }
    // The way outwards and, in the last lane, the distance at a point inside the domain; the domain's nearest otherwise.
    Vec at(Vec p) const {
        const Vec g = _mm_max_ps(_mm_min_ps(_mm_mul_ps(_mm_sub_ps(p, origin), all(inverse)), last), _mm_setzero_ps());
        const __m128i base = _mm_cvttps_epi32(g);
        const Vec f = _mm_sub_ps(g, _mm_cvtepi32_ps(base));
        const size_t row = size_t(sides[0]), plane = row * size_t(sides[1]);
        const auto* first = &nodes[size_t(_mm_extract_epi32(base, 2)) * plane + size_t(_mm_extract_epi32(base, 1)) * row + size_t(_mm_cvtsi128_si32(base))];
        const Vec x = _mm_shuffle_ps(f, f, 0x00), y = _mm_shuffle_ps(f, f, 0x55), z = _mm_shuffle_ps(f, f, 0xaa);
        auto n = [first](size_t offset) { return _mm_loadu_ps(first[offset].data()); };
        auto mix = [](Vec a, Vec b, Vec t) { return _mm_fmadd_ps(_mm_sub_ps(b, a), t, a); };
        const Vec front = mix(mix(n(0), n(1), x), mix(n(row), n(row + 1), x), y);
        const Vec back = mix(mix(n(plane), n(plane + 1), x), mix(n(plane + row), n(plane + row + 1), x), y);
        return mix(front, back, z);
    }
    // Distances at eight points at once.
    __m256 at(__m256 x, __m256 y, __m256 z) const {
        alignas(16) float low[4], most[4];
        _mm_store_ps(low, origin);
        _mm_store_ps(most, last);
        __m256 g[3] = {x, y, z}, f[3];
        __m256i base[3];
        for (int i = 0; i < 3; ++i) {
            g[i] = _mm256_mul_ps(_mm256_sub_ps(g[i], _mm256_set1_ps(low[i])), _mm256_set1_ps(inverse));
            g[i] = _mm256_max_ps(_mm256_min_ps(g[i], _mm256_set1_ps(most[i])), _mm256_setzero_ps());
            base[i] = _mm256_cvttps_epi32(g[i]);
            f[i] = _mm256_sub_ps(g[i], _mm256_cvtepi32_ps(base[i]));
        }
        const int row = sides[0], plane = sides[0] * sides[1];
        const __m256i first = _mm256_add_epi32(
            _mm256_add_epi32(_mm256_mullo_epi32(base[2], _mm256_set1_epi32(plane)), _mm256_mullo_epi32(base[1], _mm256_set1_epi32(row))), base[0]);
        auto node = [&](int offset) { return _mm256_i32gather_ps(distances.data() + offset, first, 4); };
        auto mix = [](__m256 a, __m256 b, __m256 t) { return _mm256_fmadd_ps(_mm256_sub_ps(b, a), t, a); };
        const __m256 front = mix(mix(node(0), node(1), f[0]), mix(node(row), node(row + 1), f[0]), f[1]);
        const __m256 back = mix(mix(node(plane), node(plane + 1), f[0]), mix(node(plane + row), node(plane + row + 1), f[0]), f[1]);
        return mix(front, back, f[2]);
    }
};

// A pose as columns and a shift.
struct Place {
    Vec x, y, z, shift;

    explicit Place(const Pose& pose) {
        const auto o = pose.apply({0, 0, 0}), a = pose.apply({1, 0, 0}), b = pose.apply({0, 1, 0}), c = pose.apply({0, 0, 1});
        x = vec(a[0] - o[0], a[1] - o[1], a[2] - o[2]);
        y = vec(b[0] - o[0], b[1] - o[1], b[2] - o[2]);
        z = vec(c[0] - o[0], c[1] - o[1], c[2] - o[2]);
        shift = vec(o[0], o[1], o[2]);
    }
    Vec operator()(Vec p) const {
        const Vec a = _mm_fmadd_ps(_mm_shuffle_ps(p, p, 0x00), x, shift);
        return _mm_fmadd_ps(_mm_shuffle_ps(p, p, 0xaa), z, _mm_fmadd_ps(_mm_shuffle_ps(p, p, 0x55), y, a));
    }
};

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
