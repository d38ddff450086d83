// A field in memory, sampled by vector instructions: for contestants that one would write by hand. Its nodes come from a field that the
// library baked.
#pragma once

#include <immintrin.h>

#include <cmath>

#include "../proxel/field.hpp"

namespace native {

using Vec = __m128;

inline Vec vec(double x, double y, double z) { return _mm_set_ps(0, float(z), float(y), float(x)); }
inline Vec load(const std::array<float, 3>& p) { return _mm_set_ps(0, p[2], p[1], p[0]); }
inline Vec all(float x) { return _mm_set1_ps(x); }
inline float dot(Vec a, Vec b) { return _mm_cvtss_f32(_mm_dp_ps(a, b, 0x71)); }
inline float size(Vec a) { return std::sqrt(dot(a, a)); }
inline Vec cross(Vec a, Vec b) {
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

}  // namespace native
