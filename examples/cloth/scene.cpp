#include "scene.hpp"

#include "mesh/shapes.hpp"

#include <algorithm>
#include <ctime>

namespace drape {
namespace {

using cli::Triangle;
using cli::Vec3;

// Two features that are d apart stay apart when no vertex moves by d / 2; a tenth of that is left for rounding.
constexpr float safe_share = 0.45f;

// Processor time of all threads counts what the machine does for others not at all.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

class Watch {
public:
    explicit Watch(Times& times) : times_(times), begin_(processor_seconds()) {}
    void lap(Stage stage) {
        const double now = processor_seconds();
        times_[static_cast<std::size_t>(stage)] += now - begin_;
        begin_ = now;
    }

private:
    Times& times_;
    double begin_;
};

proxel::Mesh deforming(const proxel::Context& context, const cli::Mesh& mesh, const char* label) {
    return context.mesh(mesh.positions, mesh.triangles, label, PRX_MESH_DEFORMING).value();
}

// The corners of a feature of a pair, and how many there are.
int corners(const std::vector<Triangle>& triangles, const std::uint32_t* feature, bool is_face, std::uint32_t* out) {
    if (is_face) {
        std::copy(triangles[feature[0]].begin(), triangles[feature[0]].end(), out);
        return 3;
    }
    out[0] = feature[0];
    if (feature[1] == PRX_NO_INDEX) return 1;
    out[1] = feature[1];
    return 2;
}

void lower(float& limit, double distance) { limit = std::min(limit, safe_share * static_cast<float>(distance)); }

} // namespace

Scene::Scene(const proxel::Context& context, const SceneDef& def)
    : def_(def), body_(cli::rabbit(def.body_triangles)), fabric_(def.side, def.width, body_.top() + def.lift), context_(&context) {
    cloth_mesh_ = deforming(context, fabric_.mesh(), "cloth");
    body_mesh_ = deforming(context, body_.mesh(), "body");
}

void Scene::advance(Times& times) {
    Watch watch(times);
    cloth_mesh_.update(fabric_.mesh().positions).value();
    body_mesh_.update(body_.mesh().positions).value();
    watch.lap(Stage::update);

    PrxNearDef def = prx_near_def_default();
    const float search = def_.search * fabric_.spacing();
    def.thickness = search;
    // With room for a quarter more than the last step had, the search seldom runs twice.
    near_body_ = context_->near_pairs({cloth_mesh_}, {body_mesh_}, def, near_body_.size() * 5 / 4 + 4096).value();
    watch.lap(Stage::near_body);
    near_itself_ = context_->near_pairs_self(cloth_mesh_, def, near_itself_.size() * 5 / 4 + 4096).value();
    watch.lap(Stage::near_itself);

    const auto [cloth_limits, body_limits] = safe_limits();
    move_body(body_limits);
    fabric_.predict(def_.step, def_.gravity);
    const std::vector<Barrier> with_body = barriers(near_body_, true), with_itself = barriers(near_itself_, false);
    for (int i = 0; i < def_.iterations; ++i) {
        fabric_.relax(def_.step);
        hold_apart(with_itself, 0);
        hold_apart(with_body, def_.friction);
    }
    fabric_.advance(def_.step, cloth_limits);
    watch.lap(Stage::solve);
}

std::array<std::vector<float>, 2> Scene::safe_limits() const {
    const cli::Mesh &cloth = fabric_.mesh(), &body = body_.mesh();
    // What is not in a list is at least as far away as was searched.
    const float far = safe_share * def_.search * fabric_.spacing();
    std::vector<float> of_cloth(cloth.positions.size(), far), of_body(body.positions.size(), far);
    const auto limit = [&](const PrxNearPair& pair, std::vector<float>& of_b, const cli::Mesh& b) {
        std::uint32_t vertices[3];
        const int count_a = corners(cloth.triangles, pair.feature_a, pair.kind == PRX_IMPACT_KIND_FACE_VERTEX, vertices);
        for (int i = 0; i < count_a; ++i) lower(of_cloth[vertices[i]], pair.distance);
        const int count_b = corners(b.triangles, pair.feature_b, pair.kind == PRX_IMPACT_KIND_VERTEX_FACE, vertices);
        for (int i = 0; i < count_b; ++i) lower(of_b[vertices[i]], pair.distance);
    };
    for (const PrxNearPair& pair : near_body_) limit(pair, of_body, body);
    for (const PrxNearPair& pair : near_itself_) limit(pair, of_cloth, cloth);
    return {std::move(of_cloth), std::move(of_body)};
}

void Scene::move_body(const std::vector<float>& limits) {
    body_before_ = body_.mesh().positions;
    const std::vector<Vec3> wanted = body_.at(time_ + def_.step);
    float part = 1;
    for (std::size_t v = 0; v < wanted.size(); ++v) {
        const float way = length(wanted[v] - body_before_[v]);
        if (way * part > limits[v]) part = limits[v] / way;
    }
    std::vector<Vec3> moved = body_before_;
    for (std::size_t v = 0; v < moved.size(); ++v) moved[v] += (wanted[v] - moved[v]) * part;
    body_.set(std::move(moved));
    time_ += part * def_.step;
}

std::vector<Scene::Barrier> Scene::barriers(const std::vector<PrxNearPair>& pairs, bool with_body) const {
    std::vector<Barrier> all;
    all.reserve(pairs.size());
    for (const PrxNearPair& pair : pairs) {
        std::uint32_t a[3], b[3];
        const int of_a = corners(fabric_.mesh().triangles, pair.feature_a, pair.kind == PRX_IMPACT_KIND_FACE_VERTEX, a);
        const cli::Mesh& other = with_body ? body_.mesh() : fabric_.mesh();
        const int of_b = corners(other.triangles, pair.feature_b, pair.kind == PRX_IMPACT_KIND_VERTEX_FACE, b);
        // Weights are in the order vertex, face; or edge, edge.
        const bool face_first = pair.kind == PRX_IMPACT_KIND_FACE_VERTEX;
        Barrier barrier{{}, {}, 0, {pair.direction[0], pair.direction[1], pair.direction[2]}, {}, {}};
        for (int i = 0; i < of_a; ++i) {
            barrier.vertices[barrier.count] = a[i];
            barrier.shares[barrier.count++] = -static_cast<float>(pair.weights[face_first ? i + 1 : i]);
        }
        for (int i = 0; i < of_b; ++i) {
            const float share = static_cast<float>(pair.weights[face_first ? i : of_a + i]);
            if (with_body) {
                barrier.fixed_before += share * body_before_[b[i]];
                barrier.fixed += share * body_.mesh().positions[b[i]];
            } else {
                barrier.vertices[barrier.count] = b[i];
                barrier.shares[barrier.count++] = share;
            }
        }
        all.push_back(barrier);
    }
    return all;
}

void Scene::hold_apart(const std::vector<Barrier>& barriers, float friction) {
    std::vector<Vec3>& now = fabric_.solved();
    const std::vector<Vec3>& before = fabric_.mesh().positions;
    const float thickness = def_.thickness * fabric_.spacing();
    for (const Barrier& barrier : barriers) {
        Vec3 apart = barrier.fixed, apart_before = barrier.fixed_before;
        float weight = 0;
        for (int i = 0; i < barrier.count; ++i) {
            apart += barrier.shares[i] * now[barrier.vertices[i]];
            apart_before += barrier.shares[i] * before[barrier.vertices[i]];
            weight += barrier.shares[i] * barrier.shares[i];
        }
        const float lacking = thickness - dot(apart, barrier.direction);
        if (!(lacking > 0 && weight > 0)) continue;
        // Coulomb, in positions: sliding during the step is taken back by at most the coefficient times what the contact pushes.
        const Vec3 slid = apart - apart_before, along = slid - dot(slid, barrier.direction) * barrier.direction;
        const float size = length(along), taken = size > 0 ? std::min(1.0f, friction * lacking / size) : 0;
        const Vec3 change = (lacking * barrier.direction - taken * along) * (1 / weight);
        for (int i = 0; i < barrier.count; ++i) now[barrier.vertices[i]] += barrier.shares[i] * change;
    }
}

std::size_t Scene::intersections() const {
    // Copies: the meshes of the scene are those of the beginning of the step.
    const proxel::Mesh cloth = deforming(*context_, fabric_.mesh(), "cloth to check"), body = deforming(*context_, body_.mesh(), "body to check");
    return cloth.self_pairs().value().size() + context_->pairs({cloth}, {body}).value().size();
}

float Scene::lowest() const {
    float lowest = 1e30f;
    for (const Vec3 p : fabric_.mesh().positions) lowest = std::min(lowest, p.y);
    return lowest;
}

float Scene::highest() const {
    float highest = -1e30f;
    for (const Vec3 p : fabric_.mesh().positions) highest = std::max(highest, p.y);
    return highest;
}

cli::View Scene::view() const {
    cli::View view;
    view.surfaces.push_back({&body_.mesh(), {}, cli::palette::clay, 1.0f, {}});
    view.surfaces.push_back({&fabric_.mesh(), {}, cli::palette::blue, 1.0f, {}});
    view.towards_eye = {0.5f, 0.5f, 1.0f};
    view.framed = {{-1.3f, 1.1f, -1.3f}, {1.3f, 1.1f, -1.3f}, {-1.3f, 1.1f, 1.3f}, {1.3f, 1.1f, 1.3f}, {-0.9f, -1.3f, 0.9f}, {0.9f, -1.3f, 0.9f}};
    return view;
}

} // namespace drape
