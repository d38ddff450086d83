// What one would write by hand for these processors: distances of eight vertices at once from a field in memory, and a list of those within a
// thickness with point, normal and distance. Its field is baked by the library; the time is its own.
#include <thread>

#include "contestant.hpp"
#include "native_field.hpp"

namespace {

using namespace native;

struct Contact {
    float point[3], normal[3], distance;
    uint32_t vertex;
};

void add(std::vector<Contact>& found, const Field& field, const std::array<float, 3>& p, uint32_t vertex) {
    const Vec s = field.at(load(p));
    const Vec way = _mm_blend_ps(s, _mm_setzero_ps(), 8), towards = _mm_div_ps(way, all(std::max(size(way), 1e-12f)));
    alignas(16) float normal[4];
    _mm_store_ps(normal, towards);
    found.push_back({{p[0], p[1], p[2]}, {normal[0], normal[1], normal[2]}, _mm_cvtss_f32(_mm_shuffle_ps(s, s, 0xff)), vertex});
}

void list(std::vector<Contact>& found, const Field& field, const std::vector<std::array<float, 3>>& points, size_t begin, size_t end, float thickness) {
    found.clear();
    size_t i = begin;
    for (; i + 8 <= end; i += 8) {
        alignas(32) float x[8], y[8], z[8];
        for (int k = 0; k < 8; ++k) x[k] = points[i + k][0], y[k] = points[i + k][1], z[k] = points[i + k][2];
        const __m256 far = field.at(_mm256_load_ps(x), _mm256_load_ps(y), _mm256_load_ps(z));
        for (int mask = _mm256_movemask_ps(_mm256_cmp_ps(far, _mm256_set1_ps(thickness), _CMP_LE_OQ)); mask != 0; mask &= mask - 1) {
            const size_t at = i + size_t(__builtin_ctz(unsigned(mask)));
            add(found, field, points[at], uint32_t(at));
        }
    }
    for (; i < end; ++i)
        if (_mm_cvtss_f32(_mm_shuffle_ps(field.at(load(points[i])), field.at(load(points[i])), 0xff)) <= thickness) add(found, field, points[i], uint32_t(i));
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh solid = read_mesh(arguments.text("other")), mesh = fitted(read_mesh(arguments.text("mesh")), solid);
        const size_t threads = size_t(arguments.number("threads"));
        Context context(on_threads(arguments));
        const Field field(context, bake_field(context, solid));
        const float thickness = std::stof(arguments.text("thickness")) * solid.longest();
        std::vector<std::vector<Contact>> lists(threads);
        std::vector<Contact> contacts;
        contest::compete("by hand, AVX2", [&](const contest::Turn& turn) {
            const auto points = deformed(mesh, Pose{}, turn, 0.02);
            auto sample = contest::shortest_of(2, [&] {
                std::vector<std::thread> workers;
                for (size_t t = 1; t < threads; ++t)
                    workers.emplace_back([&, t] { list(lists[t], field, points, points.size() * t / threads, points.size() * (t + 1) / threads, thickness); });
                list(lists[0], field, points, 0, points.size() / threads, thickness);
                for (auto& worker : workers) worker.join();
                contacts.clear();
                for (const auto& part : lists) contacts.insert(contacts.end(), part.begin(), part.end());
            });
            sample.answer = {double(contacts.size())};
            return sample;
        });
    });
}
