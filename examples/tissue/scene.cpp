#include "scene.hpp"

#include "mesh/shapes.hpp"

#include <algorithm>
#include <cmath>

namespace probing {
namespace {

// A sphere whose halves are pulled apart along y.
cli::Mesh capsule(float radius, float half_height) {
    cli::Mesh mesh = cli::sphere(1280);
    for (Vec3& p : mesh.positions) p = p * radius + Vec3{0, p.y >= 0 ? half_height : -half_height, 0};
    return mesh;
}

proxel::Field capsule_field(const proxel::Context& context, const SceneDef& def) {
    PrxShape shape = prx_shape_default();
    shape.kind = PRX_SHAPE_KIND_CAPSULE;
    shape.radius = def.radius;
    shape.half_height = def.half_height;
    PrxFieldDef layout = prx_field_def_default();
    layout.resolution = 128;
    return context.field_from_shape(shape, layout).value();
}

// From 0 to 1 without a jerk.
float eased(float t) {
    t = std::clamp(t, 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

} // namespace

Scene::Scene(const proxel::Context& context, const SceneDef& def)
    : def_(def), tissue_(def.cells), probe_mesh_(capsule(def.radius, def.half_height)), context_(&context),
      mesh_(context.mesh(tissue_.surface().positions, tissue_.surface().triangles, "tissue", PRX_MESH_DEFORMING).value()),
      field_(capsule_field(context, def)), pose_(probe_at(0)) {}

cli::Pose Scene::probe_at(float time) const {
    const float in = eased(time / pressed) - eased((time - leaves) / (gone - leaves));
    const float along = eased((time - slides) / (slid - slides));
    // It leans by 0.5 against the way that it slides. Its tip is 0.05 above the tissue at first.
    const float lean = 0.5f, half = 0.5f * lean;
    const Vec3 tip{def_.slide * (along - 0.5f), 0.05f - (0.05f + def_.depth) * in + def_.radius, 0};
    const Vec3 axis{-std::sin(lean), std::cos(lean), 0};
    return {tip + def_.half_height * axis, {0, 0, std::sin(half)}, std::cos(half)};
}

void Scene::advance() {
    time_ += def_.step;
    const cli::Pose before = pose_;
    pose_ = probe_at(time_);
    tissue_.predict(def_.step);

    mesh_.update(tissue_.solved()).value();
    PrxBody probe = proxel::body(field_);
    const float place[] = {pose_.translation.x, pose_.translation.y, pose_.translation.z};
    std::copy(place, place + 3, probe.position);
    const float turn[] = {pose_.turn.x, pose_.turn.y, pose_.turn.z, pose_.scalar};
    std::copy(turn, turn + 4, probe.rotation);
    probe.rest_offset = def_.skin;
    PrxSoftContactsDef def = prx_soft_contacts_def_default();
    // Points that stay the same from step to step let the tissue come to rest. Between two of them it sags by less than the skin.
    def.sampling = PRX_CONTACT_SAMPLING_EDGE_CENTERS;
    // The solver may push points against the probe that do not touch it yet. One that leaves the list while it is pushed lets the tissue jump.
    def.distance = 0.3f * def_.radius;
    found_ = context_->soft_contacts(proxel::body(mesh_), {probe}, def).value();

    force_ = {};
    std::vector<float> multipliers(found_.size(), 0.0f);
    for (int i = 0; i < def_.iterations; ++i) {
        tissue_.relax(def_.step);
        push_out(found_, multipliers, pose_.translation - before.translation);
    }
    tissue_.advance(def_.step);
    force_ = force_ * (1 / (def_.step * def_.step));
}

// Each contact is a plane that its point stays outside of. The force on the probe is what that takes.
void Scene::push_out(const std::vector<PrxSoftContact>& contacts, std::vector<float>& multipliers, Vec3 moved) {
    std::vector<Vec3>& now = tissue_.solved();
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        const PrxSoftContact& contact = contacts[c];
        const Vec3 normal{contact.normal[0], contact.normal[1], contact.normal[2]};
        Vec3 point, before;
        float weight = 0;
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t v = contact.vertices[k];
            point += contact.weights[k] * now[v];
            before += contact.weights[k] * tissue_.surface().positions[v];
            weight += contact.weights[k] * contact.weights[k] * tissue_.inverse_mass(v);
        }
        if (!(weight > 0)) continue;
        const Vec3 found{static_cast<float>(contact.point[0]), static_cast<float>(contact.point[1]), static_cast<float>(contact.point[2])};
        const float apart = contact.separation + dot(point - found, normal);
        // Contacts push and do not pull: what they have pushed too far is taken back.
        const float push = std::max(-apart / weight, -multipliers[c]);
        multipliers[c] += push;
        Vec3 change = push * normal;
        // Coulomb: sliding along the probe is taken back by at most the coefficient times what the contact pushes.
        const Vec3 way = point - before - moved, along = way - dot(way, normal) * normal;
        const float size = length(along);
        if (size > 0 && push > 0) change += along * (-std::min(1 / weight, def_.friction * push / size));
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t v = contact.vertices[k];
            now[v] += contact.weights[k] * tissue_.inverse_mass(v) * change;
        }
        force_ += -change;
    }
}

float Scene::deepest() const {
    const Vec3 axis = rotate(pose_, {0, 1, 0});
    float deepest = -1e30f;
    for (const cli::Triangle& t : tissue_.surface().triangles)
        for (const std::uint32_t v : t) {
            const Vec3 from = tissue_.surface().positions[v] - pose_.translation;
            const float along = std::clamp(dot(from, axis), -def_.half_height, def_.half_height);
            deepest = std::max(deepest, def_.radius - length(from - along * axis));
        }
    return deepest;
}

std::size_t Scene::vertices_inside() const {
    std::vector<Vec3> probe;
    for (const Vec3 p : probe_mesh_.positions) probe.push_back(place(pose_, p));
    const std::vector<Vec3>& positions = tissue_.surface().positions;
    const auto body = [](const std::vector<Vec3>& points, const std::vector<Tetrahedron>& tetrahedra) {
        return PrxTetrahedralBody{points.empty() ? nullptr : &points[0].x, tetrahedra.empty() ? nullptr : tetrahedra[0].data(),
                                  static_cast<std::uint32_t>(points.size()), static_cast<std::uint32_t>(tetrahedra.size())};
    };
    const PrxTetrahedralBody bodies[] = {body(positions, tissue_.tetrahedra()), body(probe, {})};
    return context_->vertices_inside(bodies).value().size();
}

cli::View Scene::view() const {
    cli::View view;
    view.surfaces.push_back({&tissue_.surface(), {}, cli::palette::clay, 1.0f, {}});
    view.surfaces.push_back({&probe_mesh_, pose_, cli::palette::blue, 0.75f, {}});
    const float size = length(force_);
    if (size > 0) {
        const Vec3 from = place(pose_, {0, def_.half_height, 0});
        view.marks.push_back({cli::Mark::Kind::arrow, from, from + force_ * 0.008f, cli::palette::red, 5.0f});
    }
    view.towards_eye = {0.4f, 0.55f, 1.0f};
    view.framed = {{-1.0f, -0.8f, 1.0f}, {1.0f, -0.8f, 1.0f}, {-1.0f, 0.0f, -1.0f}, {1.0f, 0.0f, -1.0f}, {-1.1f, 1.7f, 0.0f}, {0.4f, 1.7f, 0.0f}};
    return view;
}

} // namespace probing
