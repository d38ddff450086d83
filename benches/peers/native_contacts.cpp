// What one would write by hand for contacts: the field of one body at the vertices of the other by vector instructions on all threads, those
// that no neighbour is deeper than, and the normals there. Edges and faces are not looked into. mode=deforming: B's vertices in A's field;
// mode=rigid: both ways. Its field is baked by the library; the time is its own.
#include <thread>

#include "../contact_steps.hpp"
#include "native_field.hpp"

using namespace native;

namespace {

struct Found {
    Vec point, normal;
    float depth;
};

class Side {
public:
    Side(const Field& field, const Mesh& mesh, size_t threads) : field_(field), mesh_(mesh), threads_(threads), values_(mesh.points.size()), vetoed_(mesh.points.size()) {}

    // The contacts of the mesh at a place in the field.
    double contacts(const std::vector<std::array<float, 3>>& points, const Place& place, std::vector<Found>& out) {
        on_all_threads(points.size(), [&](size_t begin, size_t end) { sample(points, place, begin, end); });
        std::fill(vetoed_.begin(), vetoed_.end(), 0);
        on_all_threads(mesh_.triangles.size(), [&](size_t begin, size_t end) { veto(begin, end); });
        double deepest = 0;
        for (size_t i = 0; i < points.size(); ++i) {
            if (values_[i] > 0 || vetoed_[i] != 0) continue;
            const Vec p = place(load(points[i])), s = field_.at(p), way = _mm_blend_ps(s, _mm_setzero_ps(), 8);
            out.push_back({p, _mm_div_ps(way, all(std::max(size(way), 1e-12f))), -values_[i]});
            deepest = std::max<double>(deepest, -values_[i]);
        }
        return deepest;
    }

private:
    template <class Work> void on_all_threads(size_t items, Work work) const {
        std::vector<std::thread> workers;
        for (size_t t = 0; t < threads_; ++t) workers.emplace_back([=, &work] { work(items * t / threads_, items * (t + 1) / threads_); });
        for (auto& worker : workers) worker.join();
    }
    void sample(const std::vector<std::array<float, 3>>& points, const Place& place, size_t begin, size_t end) {
        for (size_t i = begin; i < end; i += 8) {
            alignas(32) float x[8], y[8], z[8], value[8];
            const size_t lanes = std::min<size_t>(8, end - i);
            for (size_t k = 0; k < 8; ++k) {
                alignas(16) float p[4];
                _mm_store_ps(p, place(load(points[i + std::min(k, lanes - 1)])));
                x[k] = p[0], y[k] = p[1], z[k] = p[2];
            }
            _mm256_store_ps(value, field_.at(_mm256_load_ps(x), _mm256_load_ps(y), _mm256_load_ps(z)));
            std::copy(value, value + lanes, values_.begin() + static_cast<long>(i));
        }
    }
    // Threads may write the same 1 to the same byte.
    void veto(size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            const auto& t = mesh_.triangles[i];
            const float least = std::min({values_[t[0]], values_[t[1]], values_[t[2]]});
            if (least > 0) continue;
            for (const uint32_t v : t)
                if (values_[v] > least) __atomic_store_n(&vetoed_[v], 1, __ATOMIC_RELAXED);
        }
    }

    const Field& field_;
    const Mesh& mesh_;
    size_t threads_;
    std::vector<float> values_;
    std::vector<unsigned char> vetoed_;
};

Pose inverse(const Pose& pose) {
    Pose out;
    for (int i = 0; i < 3; ++i) out.rotation[i] = -pose.rotation[i];
    out.rotation[3] = pose.rotation[3];
    const auto back = out.apply(pose.translation);
    for (int i = 0; i < 3; ++i) out.translation[i] = -back[i];
    return out;
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const bool deforms = arguments.text("mode") == "deforming";
        Context context(on_threads(arguments));
        const Field field(context, bake_field(context, mesh));
        Side side(field, mesh, static_cast<size_t>(arguments.number("threads")));
        std::vector<Found> found;
        compete_in_contacts("by hand, AVX2", mesh, deforms, [&](const ContactStep& step) {
            found.clear();
            double deepest = side.contacts(step.points, Place(step.pose), found);
            if (!deforms) deepest = std::max(deepest, side.contacts(mesh.points, Place(inverse(step.pose)), found));
            return deepest;
        });
    });
}
