// Every float that a caller passes, as NaN, infinite, negative or huge: the answer is a status that is not INTERNAL, and an answer
// has no NaN in it.
#include <cfloat>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

const double odd_values[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(), -1.0, FLT_MAX, -FLT_MAX, 1e39, 1e-45, 0.0};

/// What a call answers: its status, and the floats of its answer.
struct Outcome {
    PrxStatus status;
    std::vector<double> floats;
};

template <typename Float, std::size_t Count>
void append(std::vector<double>& all, const Float (&values)[Count]) {
    for (Float value : values) all.push_back(double(value));
}

/// Puts each odd value into each of `count` floats from `first` on, one at a time, and asks.
template <typename Float>
void vary(const char* name, Float* first, std::size_t count, const std::function<Outcome()>& ask) {
    for (std::size_t i = 0; i < count; ++i) {
        const Float kept = first[i];
        for (const double value : odd_values) {
            first[i] = static_cast<Float>(value);
            const Outcome outcome = ask();
            INFO(std::string(name), "[", i, "] = ", value, ": ", std::string(prx_status_name(outcome.status)));
            CHECK(outcome.status != PRX_STATUS_INTERNAL);
            CHECK(outcome.status != PRX_STATUS_DEVICE_LOST);
            if (outcome.status == PRX_STATUS_OK)
                for (const double number : outcome.floats) CHECK(!std::isnan(number));
            if (std::isnan(value)) CHECK(outcome.status == PRX_STATUS_INVALID_ARGUMENT);
        }
        first[i] = kept;
    }
}

struct Bodies {
    Witness witness;
    proxel::Context owner = NEED(proxel::Context::open(witness.def(PRX_SEVERITY_ERROR)));
    PrxContext* context = owner.handle();
    proxel::Mesh cube_mesh = NEED(owner.mesh(cube().positions, cube().triangles, "cube", PRX_MESH_DEFORMING));
    proxel::Mesh other_mesh = NEED(owner.mesh(cube(1.0f, 0.5f).positions, cube(1.0f, 0.5f).triangles, "other", PRX_MESH_DEFORMING));
    PrxMesh a = cube_mesh.handle(), b = other_mesh.handle();
    PrxPose pose = prx_pose_identity();
};

Outcome described(PrxStatus status, const PrxDistance& d) {
    Outcome out{status, {d.distance, d.lower, d.upper}};
    append(out.floats, d.point_a);
    append(out.floats, d.point_b);
    return out;
}

void vary_pose(const char* name, PrxPose& pose, const std::function<Outcome()>& ask) {
    vary(name, pose.position, 3, ask);
    vary(name, pose.rotation, 4, ask);
}

TEST_CASE("poses and distances of exact queries") {
    Bodies w;
    PrxDistance distance;
    const auto ask = [&] {
        const PrxStatus status = prx_mesh_distance(w.context, w.a, &w.pose, w.b, nullptr, nullptr, &distance);
        return described(status, distance);
    };
    vary_pose("distance: pose", w.pose, ask);
    PrxDistanceDef def = prx_distance_def_default();
    for (std::uint32_t method = 0; method < 3; ++method) {
        def.method = static_cast<PrxDistanceMethod>(method);
        vary("within", &def.within, 1, [&] {
            return described(prx_mesh_distance(w.context, w.a, nullptr, w.b, nullptr, &def, &distance), distance);
        });
    }
    PrxImpact impact;
    const auto swept = [&](PrxStatus status) {
        Outcome out{status, {impact.time}};
        append(out.floats, impact.point_a);
        append(out.floats, impact.point_b);
        return out;
    };
    PrxSweepDef sweep = prx_sweep_def_default();
    PrxPose away = at(5, 0, 0);
    vary_pose("sweep: pose", w.pose, [&] {
        return swept(prx_mesh_sweep_poses(w.context, w.a, nullptr, &w.pose, w.b, &away, nullptr, &sweep, &impact));
    });
    vary("tolerance", &sweep.tolerance, 1, [&] {
        return swept(prx_mesh_sweep_poses(w.context, w.a, nullptr, nullptr, w.b, &away, nullptr, &sweep, &impact));
    });
    vary("tolerance", &sweep.tolerance, 1, [&] { return swept(prx_mesh_sweep(w.context, w.a, w.a, w.b, w.b, &sweep, &impact)); });
    PrxImpactsDef impacts = prx_impacts_def_default();
    vary("separation", &impacts.separation, 1, [&] {
        double step = 0;
        const PrxStatus status = prx_mesh_free_step(w.context, w.a, w.a, w.b, w.b, &impacts, &step);
        return Outcome{status, {step}};
    });
    double within = 0.0;
    PrxPair pairs[256];
    vary("pairs: distance", &within, 1, [&] {
        std::uint64_t count = 0;
        Outcome out{prx_mesh_pairs(w.context, w.a, nullptr, w.b, nullptr, within, pairs, 256, &count), {}};
        for (std::uint64_t i = 0; i < count && out.status == PRX_STATUS_OK; ++i) {
            out.floats.push_back(pairs[i].distance);
            append(out.floats, pairs[i].segment[0]);
            append(out.floats, pairs[i].segment[1]);
        }
        return out;
    });
    PrxNearDef near = prx_near_def_default();
    near.thickness = 0.1;
    PrxNearPair listed[512];
    vary("thickness", &near.thickness, 1, [&] {
        std::uint64_t count = 0;
        Outcome out{prx_mesh_near(w.context, w.a, nullptr, w.b, nullptr, &near, listed, 512, &count), {}};
        for (std::uint64_t i = 0; i < count && out.status == PRX_STATUS_OK; ++i) {
            out.floats.push_back(listed[i].distance);
            append(out.floats, listed[i].weights);
            append(out.floats, listed[i].direction);
        }
        return out;
    });
    double separation = 0.0;
    vary("safe distances: separation", &separation, 1, [&] {
        double distances[16];
        std::uint64_t count = 0;
        Outcome out{prx_mesh_safe_distances(w.context, w.a, nullptr, w.b, nullptr, &near, separation, distances, 16, &count), {}};
        if (out.status == PRX_STATUS_OK) append(out.floats, distances);
        return out;
    });
    PrxScene scene;
    REQUIRE(prx_scene_create(w.context, &scene) == PRX_STATUS_OK);
    PrxObject object;
    REQUIRE(prx_scene_add(w.context, scene, w.b, nullptr, &object) == PRX_STATUS_OK);
    vary_pose("object: pose", w.pose, [&] { return Outcome{prx_scene_move(w.context, scene, &object, &w.pose, 1), {}}; });
    vary("objects: distance", &within, 1, [&] {
        std::uint64_t count;
        const PrxStatus one = prx_scene_object_pairs(w.context, scene, within, nullptr, 0, &count);
        const PrxStatus two = prx_scene_pairs(w.context, scene, within, nullptr, 0, &count);
        const PrxStatus three = prx_scene_colliding(w.context, scene, within, nullptr, nullptr, 0, &count, nullptr);
        CHECK_EQ(one, two);
        CHECK_EQ(one, three);
        return Outcome{one, {}};
    });
    CHECK_EQ(prx_scene_destroy(w.context, scene), PRX_STATUS_OK);
}

TEST_CASE("budgets, chances, trackers and hierarchies") {
    Bodies w;
    PrxBudget budget{1000.0, 100};
    double enough = 0.5;
    PrxChance chance;
    const auto likely = [&] {
        const PrxStatus status = prx_mesh_collision_chance(w.context, w.a, nullptr, w.b, nullptr, enough, budget, &chance);
        return Outcome{status, {chance.probability}};
    };
    vary("microseconds", &budget.microseconds, 1, likely);
    vary("enough", &enough, 1, likely);
    PrxTrackerDef tracking = prx_tracker_def_default();
    const auto track = [&] {
        PrxTracker tracker;
        const PrxStatus made = prx_tracker_create(w.context, w.a, w.b, &tracking, &tracker);
        if (made != PRX_STATUS_OK) return Outcome{made, {}};
        PrxTracked tracked;
        const Outcome out = described(prx_tracker_step(w.context, tracker, nullptr, nullptr, budget, &tracked), tracked.distance);
        CHECK_EQ(prx_tracker_destroy(w.context, tracker), PRX_STATUS_OK);
        return out;
    };
    vary("tracker: within", &tracking.within, 1, track);
    tracking = prx_tracker_def_default();
    vary("tracker: colliding", &tracking.colliding, 1, track);
    PrxHierarchyDef def = prx_hierarchy_def_default();
    const auto hierarchy = [&] {
        PrxHierarchy tree;
        const PrxStatus made = prx_hierarchy_create(w.context, w.a, &def, &tree);
        if (made == PRX_STATUS_OK) CHECK_EQ(prx_hierarchy_destroy(w.context, tree), PRX_STATUS_OK);
        return Outcome{made, {}};
    };
    vary("margin", &def.margin, 1, hierarchy);
    vary("rebuild_above", &def.rebuild_above, 1, hierarchy);
    PrxHierarchy tree;
    def = prx_hierarchy_def_default();
    REQUIRE(prx_hierarchy_create(w.context, w.a, &def, &tree) == PRX_STATUS_OK);
    std::vector<float> displacements(3 * 8, 0.1f);
    vary("displacements", displacements.data(), 3,
         [&] { return Outcome{prx_hierarchy_set_displacements(w.context, tree, displacements.data(), 1), {}}; });
    REQUIRE(prx_hierarchy_set_displacements(w.context, tree, displacements.data(), 1) == PRX_STATUS_OK);
    float amplitude = 1;
    vary("amplitudes", &amplitude, 1, [&] { return Outcome{prx_hierarchy_deform(w.context, tree, &amplitude, 1), {}}; });
    REQUIRE(prx_hierarchy_set_targets(w.context, tree, &w.a, 1) == PRX_STATUS_OK);
    float weight = 1;
    vary("weights", &weight, 1, [&] { return Outcome{prx_hierarchy_blend(w.context, tree, &weight, 1), {}}; });
    CHECK_EQ(prx_hierarchy_destroy(w.context, tree), PRX_STATUS_OK);
}

TEST_CASE("positions and points") {
    Bodies w;
    Shape shape = cube();
    vary("positions", &shape.positions[3].x, 3, [&] {
        auto mesh = w.owner.mesh(shape.positions, shape.triangles);
        const PrxStatus updated = prx_mesh_update(w.context, w.a, 0, 8, shape.positions.data(), sizeof(Vec3));
        CHECK_EQ(mesh.status(), updated);
        if (updated != PRX_STATUS_OK) return Outcome{updated, {}};
        PrxMeshFacts facts;
        Outcome out{prx_mesh_facts(w.context, w.a, PRX_VERTICES_WELDED, &facts), {facts.area, facts.volume}};
        append(out.floats, facts.center_of_mass);
        PrxDistance distance;
        const Outcome apart = described(prx_mesh_distance(w.context, w.a, nullptr, w.b, nullptr, nullptr, &distance), distance);
        CHECK_EQ(apart.status, PRX_STATUS_OK);
        out.floats.insert(out.floats.end(), apart.floats.begin(), apart.floats.end());
        PrxBounds bounds;
        CHECK_EQ(prx_mesh_bounds(w.context, w.a, nullptr, &bounds), PRX_STATUS_OK);
        append(out.floats, bounds.min);
        append(out.floats, bounds.max);
        return out;
    });
    const Shape whole = cube();
    REQUIRE(prx_mesh_update(w.context, w.a, 0, 8, whole.positions.data(), sizeof(Vec3)) == PRX_STATUS_OK);
    float corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const std::uint32_t tetrahedron[4] = {0, 1, 2, 3};
    const PrxTetrahedralBody body{corners, tetrahedron, 4, 1};
    vary("tetrahedra", corners, 12, [&] {
        std::uint64_t count;
        return Outcome{prx_tetrahedra_inside(w.context, &body, 1, nullptr, 0, &count), {}};
    });
    // The first vertex of the second tetrahedron is in the first; its edges leave it.
    float two[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.25f, 0.25f, 0.25f, 2, 2, 2, 2, 3, 2, 2, 2, 3};
    const PrxTetrahedralBody both[2] = {{two, tetrahedron, 4, 1}, {two + 12, tetrahedron, 4, 1}};
    vary("depths", two, 24, [&] {
        PrxVertexDepth depths[8];
        std::uint64_t count = 0;
        Outcome out{prx_tetrahedra_depths(w.context, both, 2, depths, 8, &count), {}};
        for (std::uint64_t i = 0; out.status == PRX_STATUS_OK && i < count; ++i) {
            out.floats.push_back(depths[i].depth);
            for (const double x : depths[i].direction) out.floats.push_back(x);
        }
        return out;
    });
    float point[3] = {0.5f, 0.5f, 0.5f};
    PrxLdiDef rays = prx_ldi_def_default();
    rays.resolution = 16;
    vary("contains: points", point, 3, [&] {
        std::uint32_t inside;
        return Outcome{prx_mesh_contains(w.context, w.a, nullptr, point, 1, 12, &rays, &inside), {}};
    });
}

TEST_CASE("fields and contact") {
    Bodies w;
    PrxShape ball = prx_shape_default();
    ball.kind = PRX_SHAPE_KIND_SPHERE;
    ball.radius = 1;
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 8;
    const auto made = [&](PrxStatus status, PrxField field) {
        if (status != PRX_STATUS_OK) return Outcome{status, {}};
        PrxFieldInfo info{};
        Outcome out{prx_field_info(w.context, field, &info), {}};
        out.floats = {info.error, info.lipschitz};
        CHECK_EQ(prx_field_destroy(w.context, field), PRX_STATUS_OK);
        return out;
    };
    const auto shaped = [&] {
        PrxField field;
        const PrxStatus status = prx_field_from_shape(w.context, &ball, &def, &field);
        return made(status, field);
    };
    vary("radius", &ball.radius, 1, shaped);
    vary("padding", &def.padding, 1, shaped);
    vary("live: padding", &def.padding, 1, [&] {
        PrxField field;
        const PrxStatus status = prx_field_create_live(w.context, w.a, &def, 0.2f, &field);
        return made(status, field);
    });
    float band = 0.2f;
    vary("band", &band, 1, [&] {
        PrxField field;
        const PrxStatus status = prx_field_create_live(w.context, w.a, &def, band, &field);
        return made(status, field);
    });
    PrxGrid grid{{0, 0, 0}, 1.0f, {2, 2, 2}, 0};
    float samples[8] = {1, 1, 1, 1, 1, 1, 1, 1}, error = 0.1f;
    const auto sampled = [&] {
        PrxField field;
        const PrxStatus status = prx_field_from_samples(w.context, &grid, samples, nullptr, error, PRX_PRECISION_F32, &field);
        return made(status, field);
    };
    vary("origin", grid.origin, 3, sampled);
    vary("cell_size", &grid.cell_size, 1, sampled);
    vary("samples", samples, 8, sampled);
    vary("error", &error, 1, sampled);

    PrxField field;
    REQUIRE(prx_field_from_shape(w.context, &ball, &def, &field) == PRX_STATUS_OK);
    PrxPose still = prx_pose_identity();
    PrxProximityDef near = prx_proximity_def_default();
    PrxProximity proximity;
    const auto close = [&] {
        Outcome out{prx_field_proximity(w.context, field, &w.pose, w.b, &still, &near, &proximity), {}};
        out.floats = {proximity.distance, proximity.lower, proximity.upper};
        append(out.floats, proximity.point_mesh);
        append(out.floats, proximity.direction);
        return out;
    };
    vary("proximity: tolerance", &near.tolerance, 1, close);
    vary_pose("proximity: pose", w.pose, close);
    PrxPenaltyDef push = prx_penalty_def_default();
    PrxPenalty penalty;
    const auto pushed = [&] {
        Outcome out{prx_field_penalty(w.context, field, &w.pose, w.b, &still, &push, &penalty), {}};
        append(out.floats, penalty.force);
        append(out.floats, penalty.torque);
        append(out.floats, penalty.mesh_force);
        append(out.floats, penalty.centroid);
        out.floats.push_back(penalty.area);
        out.floats.push_back(penalty.depth);
        return out;
    };
    vary("stiffness", &push.stiffness, 1, pushed);
    vary("damping", &push.damping, 1, pushed);
    vary("friction", &push.friction, 1, pushed);
    vary("field_center", push.field_center, 3, pushed);
    vary("mesh_center", push.mesh_center, 3, pushed);
    vary_pose("penalty: pose", w.pose, pushed);
    vary("linear_velocity", still.linear_velocity, 3, pushed);
    vary("angular_velocity", still.angular_velocity, 3, pushed);

    PrxBody solid = proxel::body(w.cube_mesh), soft = proxel::body(w.other_mesh);
    solid.field = field;
    PrxSoftContactsDef touch = prx_soft_contacts_def_default();
    PrxSoftContact points[64];
    const auto touched = [&] {
        std::uint64_t count = 0;
        Outcome out{prx_body_soft_contacts(w.context, &soft, &solid, 1, &touch, points, 64, &count), {}};
        for (std::uint64_t i = 0; i < count && out.status == PRX_STATUS_OK; ++i) {
            append(out.floats, points[i].point);
            append(out.floats, points[i].normal);
            out.floats.push_back(points[i].lower);
            out.floats.push_back(points[i].upper);
        }
        return out;
    };
    REQUIRE(touched().status == PRX_STATUS_OK);
    vary("soft: distance", &touch.distance, 1, touched);
    for (PrxBody* body : {&solid, &soft}) {
        vary("body: position", body->position, 3, touched);
        vary("body: rotation", body->rotation, 4, touched);
        vary("body: scale", &body->scale, 1, touched);
        vary("body: contact_offset", &body->contact_offset, 1, touched);
        vary("body: rest_offset", &body->rest_offset, 1, touched);
    }

    REQUIRE(pushed().status == PRX_STATUS_OK);
    PrxAnchor anchor{};
    float coefficient = 0.5f, stiffness = 100;
    const auto rubbed = [&] {
        PrxAnchor own = anchor;
        float force[3];
        Outcome out{prx_static_friction(&penalty, &w.pose, &still, coefficient, stiffness, &own, force), {}};
        if (out.status == PRX_STATUS_OK) {
            append(out.floats, force);
            append(out.floats, own.field_point);
            append(out.floats, own.mesh_point);
        }
        return out;
    };
    vary("coefficient", &coefficient, 1, rubbed);
    vary("friction: stiffness", &stiffness, 1, rubbed);
    vary("friction: centroid", penalty.centroid, 3, rubbed);
    vary("friction: force_sum", penalty.force_sum, 3, rubbed);
    vary_pose("friction: pose", w.pose, rubbed);
    CHECK_EQ(prx_field_destroy(w.context, field), PRX_STATUS_OK);
}

}  // namespace
