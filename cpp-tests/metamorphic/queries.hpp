// Every query, in one form: what it answers about a setting, said of the original setting. A new query is one entry of `queries`.
#pragma once

#include <cstring>
#include <limits>
#include <string>

#include "setting.hpp"

namespace metamorphic {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A true value lies between the two. Of lengths the dimension is 1, of volumes 3.
struct Certificate {
    const char* what;
    int dimension;
    double lower, upper;
};

struct Answer {
    PrxStatus status = PRX_STATUS_OK;
    /// All that came back, as it came.
    std::string bits;
    /// What was decided, in terms of the original setting.
    std::vector<std::vector<std::uint32_t>> decided;
    /// What is certain, in units of the original setting.
    std::vector<Certificate> certificates;
};

/// A setting with its meshes and fields in a context.
class Live {
public:
    const Setting setting;
    const proxel::Context& context;

    Live(Setting what, const proxel::Context& where)
        : setting(std::move(what)), context(where), a(mesh(setting.a.shape)), b(mesh(setting.b.shape)) {}

    proxel::Mesh mesh(const Shape& shape) const { return NEED(context.mesh(shape.positions, shape.triangles)); }
    /// Its vertices where its pose puts them, at the start or at the end of a step.
    proxel::Mesh world(const Body& body, const std::vector<Vec3>& positions) const {
        Shape shape{{}, body.shape.triangles};
        for (Vec3 p : positions) shape.positions.push_back(placed(body.pose, p));
        return mesh(shape);
    }

    proxel::Mesh a, b;
    proxel::Placed placed_a() const { return {a, setting.a.pose}; }
    proxel::Placed placed_b() const { return {b, setting.b.pose}; }

    /// The field of `a` or `b`: sixteen cells along the longest side.
    const proxel::Field& field(bool of_b) const {
        std::optional<proxel::Field>& field = of_b ? field_b_ : field_a_;
        if (!field) {
            PrxFieldDef def = prx_field_def_default();
            def.resolution = 16;
            field = NEED(context.bake(of_b ? b : a, def));
            NEED(field->wait());
        }
        return *field;
    }
    proxel::PlacedField placed_field_a() const { return {field(false), setting.a.pose}; }

    struct Step {
        proxel::Mesh a0, a1, b0, b1;
    };
    const Step& step() const {
        if (!step_)
            step_ = Step{world(setting.a, setting.a.shape.positions), world(setting.a, setting.a.moved),
                         world(setting.b, setting.b.shape.positions), world(setting.b, setting.b.moved)};
        return *step_;
    }

private:
    mutable std::optional<proxel::Field> field_a_, field_b_;
    mutable std::optional<Step> step_;
};

/// Fills an answer.
class Filling {
public:
    explicit Filling(const Setting& setting) : setting_(setting) {}

    /// The value of a call, if it succeeded.
    template <typename T>
    T* take(proxel::Result<T>& result) {
        if (!result.ok()) {
            answer.status = result.status();
            return nullptr;
        }
        return &result.value();
    }
    template <typename T>
    void bits(const T& value) {
        answer.bits.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    template <typename T>
    void bits(const std::vector<T>& values) {
        if (!values.empty()) answer.bits.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    }
    void decide(std::vector<std::uint32_t> what) { answer.decided.push_back(std::move(what)); }
    void certify(const char* what, int dimension, double lower, double upper) {
        answer.certificates.push_back({what, dimension, setting_.unscaled(lower, dimension), setting_.unscaled(upper, dimension)});
    }
    Answer done() {
        // Lists come in the order of what they are about, and cut triangles give a pair several times.
        std::sort(answer.decided.begin(), answer.decided.end());
        answer.decided.erase(std::unique(answer.decided.begin(), answer.decided.end()), answer.decided.end());
        return std::move(answer);
    }

private:
    Answer answer;
    const Setting& setting_;
};

// --- on the device --------------------------------------------------------------------------------------------------------

inline Answer bounds(const Live& live) {
    Filling filling(live.setting);
    auto result = live.a.bounds(live.setting.a.pose);
    if (const PrxBounds* box = filling.take(result)) {
        filling.bits(*box);
        // The common pose taken back: a half turn turns two axes around.
        const Vec3 origin = placed(live.setting.common, {0, 0, 0});
        const Vec3 signs = placed(live.setting.common, {1, 1, 1});
        const double from[] = {origin.x, origin.y, origin.z}, sign[] = {signs.x - origin.x, signs.y - origin.y, signs.z - origin.z};
        // A box is wider than need be by roundings of the largest coordinate on the way.
        double room = 0;
        for (int i = 0; i < 3; ++i) room = std::max({room, 1e-5 * std::fabs(box->min[i]), 1e-5 * std::fabs(box->max[i])});
        for (int i = 0; i < 3; ++i) {
            const double low = box->min[i] - from[i], high = box->max[i] - from[i];
            const double lower = sign[i] < 0 ? -high : low, upper = sign[i] < 0 ? -low : high;
            filling.certify("lower side", 1, lower, lower + room);
            filling.certify("upper side", 1, upper - room, upper);
        }
    }
    return filling.done();
}

inline Answer sample(const Live& live) {
    Filling filling(live.setting);
    auto result = live.field(false).sample(live.setting.points, live.setting.a.pose);
    if (const std::vector<PrxSample>* samples = filling.take(result)) {
        filling.bits(*samples);
        for (const PrxSample& s : *samples) filling.certify("distance at a point", 1, s.lower, s.in_domain != 0 ? s.upper : infinity);
    }
    return filling.done();
}

/// With a field if it is closed.
inline PrxBody solver_body(const Live& live, bool of_b) {
    const Body& own = of_b ? live.setting.b : live.setting.a;
    const PrxPose& pose = own.pose;
    const proxel::Mesh& mesh = of_b ? live.b : live.a;
    PrxBody body = own.closed ? proxel::body(mesh, live.field(of_b)) : proxel::body(mesh);
    std::copy(std::begin(pose.position), std::end(pose.position), body.position);
    std::copy(std::begin(pose.rotation), std::end(pose.rotation), body.rotation);
    return body;
}

constexpr std::uint32_t room_for_all = 65536;  // of a body in its own place, everything touches

inline PrxContactsDef near_contacts(const Live& live) {
    PrxContactsDef def = prx_contacts_def_default();
    def.distance = static_cast<float>(live.setting.near);
    def.budget = room_for_all;
    return def;
}

/// The deepest contact is kept up to a thirtieth of a cell.
inline void certify_deepest(Filling& filling, const Live& live, const std::vector<PrxContact>& contacts) {
    double cell = 0, error = 0, lower = infinity, upper = infinity;
    for (bool of_b : {false, true}) {
        const PrxFieldInfo info = NEED(live.field(of_b).info());
        cell = std::max<double>(cell, info.grid.cell_size);
        error = std::max<double>(error, info.error);
    }
    for (const PrxContact& c : contacts) {
        lower = std::min<double>(lower, c.lower);
        upper = std::min<double>(upper, c.upper);
    }
    // Without a contact, what is nearest is beyond the distance, as far as the fields tell.
    if (contacts.empty()) lower = live.setting.near - error;
    filling.certify("deepest contact", 1, lower - cell / 30, upper);
}

inline Answer contacts(const Live& live) {
    Filling filling(live.setting);
    auto result = live.context.contacts(solver_body(live, false), solver_body(live, true), near_contacts(live));
    if (const proxel::Contacts* found = filling.take(result)) {
        filling.bits(found->contacts);
        filling.bits(found->patches);
        filling.bits(found->manifold);
        certify_deepest(filling, live, found->contacts);
    }
    return filling.done();
}

inline Answer scene_contacts(const Live& live) {
    Filling filling(live.setting);
    proxel::Scene scene = NEED(live.context.scene());
    for (bool of_b : {false, true}) NEED(scene.add(solver_body(live, of_b)));
    auto result = scene.contacts(near_contacts(live));
    if (const proxel::SceneContacts* found = filling.take(result)) {
        filling.bits(found->contacts);
        filling.bits(found->patches);
        for (const PrxContactPair& pair : found->pairs) filling.bits(pair.manifold);
        certify_deepest(filling, live, found->contacts);
    }
    return filling.done();
}

/// The vertices of `b` near the field of `a`. One that is not listed is beyond the distance.
inline Answer soft_contacts(const Live& live) {
    Filling filling(live.setting);
    PrxSoftContactsDef def = prx_soft_contacts_def_default();
    def.distance = static_cast<float>(live.setting.near);
    def.sampling = PRX_CONTACT_SAMPLING_ALL;
    def.budget = room_for_all;
    PrxBody soft = solver_body(live, true), body = solver_body(live, false);
    auto result = live.context.soft_contacts(soft, {&body, 1}, def);
    if (const std::vector<PrxSoftContact>* found = filling.take(result)) {
        filling.bits(*found);
        const std::size_t count = live.setting.b.corners;
        std::vector<std::pair<double, double>> distances(count, {def.distance, infinity});
        for (const PrxSoftContact& c : *found)
            if (c.feature == PRX_CONTACT_FEATURE_VERTEX && c.vertices[0] < count) distances[c.vertices[0]] = {c.lower, c.upper};
        for (const auto& [lower, upper] : distances) filling.certify("signed distance of a vertex", 1, lower, upper);
    }
    return filling.done();
}

inline Answer proximity_of(const Live& live, proxel::Result<PrxProximity> result) {
    Filling filling(live.setting);
    if (const PrxProximity* p = filling.take(result)) {
        filling.bits(*p);
        filling.certify("smallest signed distance", 1, p->lower, p->upper);
        filling.certify("penetration", 1, -infinity, p->penetrating != 0 ? 0 : infinity);
        filling.certify("smallest signed distance", 1, p->lower, p->penetrating != 0 ? 0 : infinity);
    }
    return filling.done();
}
inline Answer proximity(const Live& live) { return proximity_of(live, live.context.proximity(live.placed_field_a(), live.placed_b())); }
inline Answer exact_proximity(const Live& live) { return proximity_of(live, live.context.exact_proximity(live.placed_a(), live.placed_b())); }

inline Answer penalty(const Live& live) {
    Filling filling(live.setting);
    PrxPenaltyDef def = prx_penalty_def_default();
    def.resolution = 64;
    def.force_errors = 1;
    auto result = live.context.penalty(live.placed_field_a(), live.placed_b(), def);
    if (const PrxPenalty* p = filling.take(result)) {
        filling.bits(*p);
        filling.certify("area inside", 2, p->area_lower, p->area_upper);
        filling.certify("depth", 1, p->depth_lower, p->depth_upper);
        const double force = std::hypot(double{p->force_sum[0]}, double{p->force_sum[1]}, double{p->force_sum[2]});
        filling.certify("size of the force", 3, force - p->force_sum_error, force + p->force_sum_error);
        filling.certify("integral of the depth", 3, static_cast<double>(p->depth_sum) - p->depth_sum_error, static_cast<double>(p->depth_sum) + p->depth_sum_error);
    }
    return filling.done();
}

inline Answer overlap(const Live& live) {
    Filling filling(live.setting);
    PrxOverlapDef def = prx_overlap_def_default();
    def.resolution = 64;
    auto result = live.context.overlap(live.placed_field_a(), live.placed_b(), def);
    if (const PrxOverlap* o = filling.take(result)) {
        filling.bits(*o);
        filling.certify("overlap", 0, o->certain != 0 ? o->overlap : 0, o->certain != 0 ? o->overlap : 1);
    }
    return filling.done();
}

inline PrxLdiDef few_rays() {
    PrxLdiDef def = prx_ldi_def_default();
    def.resolution = 32;
    return def;
}

inline Answer volume(const Live& live) {
    Filling filling(live.setting);
    PrxLdiDef def = few_rays();
    def.rays = PRX_RAYS_ALL;
    auto result = live.context.intersection_volume(live.placed_a(), live.placed_b(), def);
    if (const PrxIntersectionVolume* v = filling.take(result)) {
        filling.bits(*v);
        const bool holds = v->flawed_a == 0 && v->flawed_b == 0;
        filling.certify("volume", 3, holds ? v->lower : 0, holds ? v->upper : infinity);
    }
    return filling.done();
}

inline Answer contains(const Live& live) {
    Filling filling(live.setting);
    PrxLdiDef def = few_rays();
    def.flags = PRX_LDI_EXACT;
    auto result = live.context.contains(live.placed_a(), live.setting.points, def);
    if (const proxel::Containment* inside = filling.take(result)) {
        filling.bits(inside->points);
        for (std::uint32_t i = 0; i < inside->points.size(); ++i)
            if ((inside->points[i] & PRX_CONTAINMENT_INSIDE) != 0) filling.decide({i});
    }
    return filling.done();
}

inline Answer exits(const Live& live) {
    Filling filling(live.setting);
    auto result = live.context.exits(live.placed_a(), live.setting.points);
    if (const std::vector<PrxExit>* exits = filling.take(result)) {
        filling.bits(*exits);
        double lower = 0, upper = 0;
        for (std::uint32_t i = 0; i < exits->size(); ++i) {
            const PrxExit& exit = (*exits)[i];
            if (exit.inside != 0) filling.decide({i});
            lower = std::max(lower, exit.depth - exit.error);
            upper = std::max(upper, exit.depth + exit.error);
        }
        filling.certify("deepest point", 1, lower, upper);
    }
    return filling.done();
}

// --- exact ----------------------------------------------------------------------------------------------------------------

inline Answer distance(const Live& live) {
    Filling filling(live.setting);
    auto result = live.context.distance(live.placed_a(), live.placed_b());
    if (const PrxDistance* d = filling.take(result)) {
        filling.bits(*d);
        filling.decide({d->intersecting});
        filling.certify("distance", 1, d->lower, d->upper);
    }
    return filling.done();
}

inline Answer list_of(const Live& live, proxel::Result<std::vector<PrxPair>> result) {
    Filling filling(live.setting);
    if (const std::vector<PrxPair>* pairs = filling.take(result)) {
        filling.bits(*pairs);
        for (const PrxPair& pair : *pairs) filling.decide(live.setting.pair(pair.triangle_a, pair.triangle_b));
    }
    return filling.done();
}
inline Answer pairs(const Live& live) { return list_of(live, live.context.pairs(live.placed_a(), live.placed_b())); }
inline Answer near_pairs(const Live& live) { return list_of(live, live.context.pairs(live.placed_a(), live.placed_b(), live.setting.near)); }
inline Answer cull(const Live& live) {
    PrxCullDef def = prx_cull_def_default();
    def.method = PRX_CULL_METHOD_VISIBILITY;
    def.width = def.height = 64;
    return list_of(live, live.context.pairs(live.placed_a(), live.placed_b(), live.setting.near, def));
}

inline Answer self_pairs(const Live& live) {
    Filling filling(live.setting);
    auto result = live.a.self_pairs();
    if (const std::vector<PrxTrianglePair>* pairs = filling.take(result)) {
        filling.bits(*pairs);
        for (const PrxTrianglePair& pair : *pairs) filling.decide({pair.first / live.setting.parts, pair.second / live.setting.parts});
    }
    return filling.done();
}

/// A little more than the distance at which things are near, which features on the grid can be apart by.
inline PrxNearDef near_def(const Live& live) {
    PrxNearDef def = prx_near_def_default();
    def.thickness = live.setting.near * (1 + 0x1p-13);
    return def;
}

/// What the rounding of a distance can be, and much more.
inline double rounding(const Setting& setting) { return std::ldexp(1e-12, setting.scale); }

/// Names of features as of the original setting.
template <typename Features>
std::vector<std::uint32_t> features(const Setting& setting, Features of, bool of_two) {
    if (of_two && setting.swapped) {
        if (of.kind == PRX_IMPACT_KIND_VERTEX_FACE || of.kind == PRX_IMPACT_KIND_FACE_VERTEX)
            of.kind = of.kind == PRX_IMPACT_KIND_VERTEX_FACE ? PRX_IMPACT_KIND_FACE_VERTEX : PRX_IMPACT_KIND_VERTEX_FACE;
        std::swap(of.feature_a, of.feature_b);
    }
    return {of.kind, of.feature_a[0], of.feature_a[1], of.feature_b[0], of.feature_b[1]};
}

inline Answer near_list_of(const Live& live, proxel::Result<std::vector<PrxNearPair>> result, bool of_two) {
    Filling filling(live.setting);
    if (const std::vector<PrxNearPair>* pairs = filling.take(result)) {
        filling.bits(*pairs);
        double nearest = infinity;
        for (const PrxNearPair& pair : *pairs) {
            filling.decide(features(live.setting, pair, of_two));
            nearest = std::min(nearest, pair.distance);
        }
        // Nothing else is closer than the thickness.
        const double lower = std::min(nearest, near_def(live).thickness);
        filling.certify("smallest distance", 1, lower - rounding(live.setting), nearest + rounding(live.setting));
    }
    return filling.done();
}
inline Answer near_list(const Live& live) { return near_list_of(live, live.context.near_pairs(live.placed_a(), live.placed_b(), near_def(live)), true); }
inline Answer self_near_list(const Live& live) { return near_list_of(live, live.context.near_pairs_self(live.a, near_def(live)), false); }

inline Answer safe_distances(const Live& live) {
    Filling filling(live.setting);
    auto result = live.context.safe_distances(live.placed_a(), live.placed_b(), near_def(live), live.setting.near / 64);
    if (const std::vector<double>* distances = filling.take(result)) {
        filling.bits(*distances);
        const std::size_t of_a = live.setting.a.corners, of_b = live.setting.b.corners;
        const std::size_t first = live.setting.swapped ? of_a : 0;
        for (std::size_t i = 0; i < of_a + of_b; ++i) {
            const double distance = (*distances)[(first + i) % (of_a + of_b)];
            filling.certify("safe distance of a vertex", 1, distance - rounding(live.setting), distance + rounding(live.setting));
        }
    }
    return filling.done();
}

/// Whether it can be that they meet, by chance and by pairs.
inline Answer chance(const Live& live) {
    Filling filling(live.setting);
    auto result = live.context.collision_chance(live.placed_a(), live.placed_b(), 2, {infinity, 1000});
    if (const PrxChance* chance = filling.take(result)) {
        filling.bits(*chance);
        const bool meet = NEED(live.context.distance(live.placed_a(), live.placed_b())).intersecting != 0;
        filling.certify("whether they meet", 0, meet ? 1 : 0, chance->apart != 0 ? 0 : 1);
    }
    return filling.done();
}

// --- moving ---------------------------------------------------------------------------------------------------------------

/// A time is never late, and early by at most 1e-3 of it or 1e-6.
inline void certify_time(Filling& filling, double time) { filling.certify("time", 0, time, time / (1 - 1e-3) + 1e-6); }

inline Answer sweep(const Live& live) {
    Filling filling(live.setting);
    const Live::Step& step = live.step();
    auto result = live.context.sweep(step.a0, step.a1, step.b0, step.b1);
    if (const PrxImpact* impact = filling.take(result)) {
        filling.bits(*impact);
        filling.decide({impact->hit});
        if (impact->hit != 0) certify_time(filling, impact->time);
    }
    return filling.done();
}

inline Answer sweep_poses(const Live& live) {
    Filling filling(live.setting);
    // As far as the first body's first vertex moves in its step.
    const auto end = [](const Body& body) {
        PrxPose pose = body.pose;
        const Vec3 from = placed(pose, body.shape.positions[0]), to = placed(pose, body.moved[0]);
        const float by[] = {to.x - from.x, to.y - from.y, to.z - from.z};
        for (int i = 0; i < 3; ++i) pose.position[i] += by[i];
        return pose;
    };
    PrxSweepDef def = prx_sweep_def_default();
    def.tolerance = std::ldexp(1e-6, live.setting.scale);
    auto result = live.context.sweep_poses(live.placed_a(), end(live.setting.a), live.placed_b(), end(live.setting.b), def);
    if (const PrxImpact* impact = filling.take(result)) {
        filling.bits(*impact);
        filling.decide({impact->hit});
    }
    return filling.done();
}

inline void decide_impacts(Filling& filling, const Setting& setting, const std::vector<PrxFeatureImpact>& impacts, bool of_two) {
    double first = infinity;
    for (const PrxFeatureImpact& i : impacts) {
        filling.decide(features(setting, i, of_two));
        first = std::min(first, i.time);
    }
    if (!impacts.empty()) certify_time(filling, first);
}

inline Answer impacts(const Live& live) {
    Filling filling(live.setting);
    const Live::Step& step = live.step();
    auto result = live.context.impacts(step.a0, step.a1, step.b0, step.b1);
    if (const std::vector<PrxFeatureImpact>* found = filling.take(result)) {
        filling.bits(*found);
        decide_impacts(filling, live.setting, *found, true);
    }
    return filling.done();
}

inline Answer self_impacts(const Live& live) {
    Filling filling(live.setting);
    auto result = live.context.impacts_self(live.step().a0, live.step().a1);
    if (const std::vector<PrxFeatureImpact>* found = filling.take(result)) {
        filling.bits(*found);
        decide_impacts(filling, live.setting, *found, false);
    }
    return filling.done();
}

inline Answer free_step(const Live& live) {
    Filling filling(live.setting);
    const Live::Step& step = live.step();
    auto result = live.context.free_step(step.a0, step.a1, step.b0, step.b1);
    if (const double* part = filling.take(result)) {
        filling.bits(*part);
        // Of bodies that overlap already, it is about their edges and vertices, of which cut triangles have more.
        if (NEED(live.context.distance(step.a0, step.b0)).intersecting == 0) certify_time(filling, *part);
    }
    return filling.done();
}

// --- several bodies -------------------------------------------------------------------------------------------------------

inline Answer tetrahedra(const Live& live) {
    Filling filling(live.setting);
    std::vector<PrxTetrahedralBody> bodies;
    for (const Body* body : {&live.setting.a, &live.setting.b}) {
        const Tetrahedra& t = body->tetrahedra;
        bodies.push_back({&t.positions[0].x, t.corners[0].data(), static_cast<std::uint32_t>(t.positions.size()), static_cast<std::uint32_t>(t.corners.size())});
    }
    auto result = live.context.vertices_inside(bodies);
    if (const std::vector<PrxVertexInside>* inside = filling.take(result)) {
        filling.bits(*inside);
        const std::uint32_t turn = live.setting.swapped ? 1 : 0;
        for (const PrxVertexInside& v : *inside) filling.decide({v.vertex_body ^ turn, v.vertex, v.tetrahedron_body ^ turn, v.tetrahedron});
    }
    auto deep = live.context.vertex_depths(bodies);
    if (const std::vector<PrxVertexDepth>* depths = filling.take(deep)) {
        filling.bits(*depths);
        const std::uint32_t turn = live.setting.swapped ? 1 : 0;
        for (const PrxVertexDepth& v : *depths) filling.decide({v.vertex_body ^ turn, v.vertex, v.body ^ turn, v.steps});
    }
    return filling.done();
}

/// Objects in a scene, with the pairs of them and of their triangles.
class Objects {
public:
    proxel::Scene scene;

    explicit Objects(const Live& live) : scene(NEED(live.context.scene())) {
        for (const proxel::Placed& what : {live.placed_a(), live.placed_b()}) ids_.push_back(NEED(scene.add(what)).id);
    }
    bool in_order(PrxObject first, PrxObject second) const { return first.id == ids_[0] && second.id == ids_[1]; }

private:
    std::vector<std::uint64_t> ids_;
};

inline Answer scene_pairs(const Live& live) {
    Filling filling(live.setting);
    const Objects objects(live);
    auto result = objects.scene.pairs(live.setting.near);
    if (const std::vector<PrxScenePair>* pairs = filling.take(result))
        for (const PrxScenePair& pair : *pairs) {
            CHECK(objects.in_order(pair.object_a, pair.object_b));
            filling.bits(pair.distance);
            filling.bits(pair.segment);
            filling.decide(live.setting.pair(pair.triangle_a, pair.triangle_b));
        }
    return filling.done();
}

inline Answer scene_colliding(const Live& live) {
    Filling filling(live.setting);
    const Objects objects(live);
    PrxCullDef def = prx_cull_def_default();
    def.method = PRX_CULL_METHOD_VISIBILITY;
    def.width = def.height = 64;
    auto result = objects.scene.colliding(live.setting.near, def);
    if (const std::vector<PrxObjectPair>* pairs = filling.take(result)) {
        for (const PrxObjectPair& pair : *pairs) CHECK(objects.in_order(pair.first, pair.second));
        filling.decide({static_cast<std::uint32_t>(pairs->size())});
    }
    return filling.done();
}

}  // namespace metamorphic
