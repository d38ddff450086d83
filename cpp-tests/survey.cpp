// Time-critical queries, sweeps along screws and of one mesh, tetrahedra, and hierarchies of the caller's choice.
#include <algorithm>
#include <cmath>

#include "engine.hpp"
#include "shapes.hpp"

using namespace test;

namespace {

proxel::Mesh make(const proxel::Context& context, const Shape& shape) {
    return NEED(context.mesh(shape.positions, shape.triangles, nullptr, PRX_MESH_DEFORMING));
}

Shape moved(const Shape& shape, Vec3 by) { return together({}, shape, by); }

const PrxBudget endless = proxel::budget(INFINITY);

/// Two unit cubes whose gap is known: any budget brackets it, enough of it finds it.
void a_tracker_brackets_the_gap(const proxel::Context& context) {
    proxel::Mesh a = make(context, cube()), b = make(context, cube());
    proxel::Tracker tracker = NEED(context.tracker(a, b));
    for (float gap : {2.0f, 1.0f, 0.5f, 0.25f}) {
        PrxTracked hurried = NEED(tracker.step(at(0, 0, 0), at(1 + gap, 0, 0), proxel::budget(INFINITY, 0)));
        CHECK((hurried.distance.lower <= gap && gap <= hurried.distance.upper));
        PrxTracked thorough = NEED(tracker.step(at(0, 0, 0), at(1 + gap, 0, 0), endless));
        CHECK_EQ(thorough.exact, 1u);
        CHECK_NEAR(thorough.distance.distance, static_cast<double>(gap), 1e-12);
        CHECK((thorough.pairs >= 1 && thorough.steps > 0));
        const auto pairs = NEED(tracker.pairs());
        CHECK_EQ(pairs.size(), std::size_t{thorough.pairs});
        CHECK_NEAR(pairs.front().distance, static_cast<double>(gap), 1e-12);
    }
    CHECK_EQ(NEED(tracker.step(at(0, 0, 0), at(0.5f, 0.5f, 0.5f), endless)).distance.intersecting, 1u);
    CHECK_REFUSED(tracker.step(at(0, 0, 0), at(0, 0, 0), proxel::budget(-1)), PRX_STATUS_INVALID_ARGUMENT, "microseconds is -1");
    PrxTrackerDef none = prx_tracker_def_default();
    none.fresh_pairs = 0;
    CHECK_REFUSED(context.tracker(a, b, none), PRX_STATUS_INVALID_ARGUMENT, "fresh_pairs is 0");
    const PrxTracker stale = tracker.handle();
    tracker = {};
    PrxTracked unused{};
    CHECK_EQ(prx_tracker_step(context.handle(), stale, nullptr, nullptr, endless, &unused), PRX_STATUS_INVALID_HANDLE);
}

/// Two cubes that cut into each other: all pairs that meet are reached from one, and are those of the exact query. Coarser levels, a mesh
/// against itself, and a budget for a mesh that changed.
void a_tracker_spreads_collisions(const proxel::Context& context) {
    proxel::Mesh a = make(context, cube()), b = make(context, cube());
    PrxTrackerDef def = prx_tracker_def_default();
    def.colliding = 0;
    def.levels = 8;
    proxel::Tracker tracker = NEED(context.tracker(a, b, def));
    const PrxPose there = at(0.5f, 0.25f, 0.125f);
    const PrxTracked tracked = NEED(tracker.step(at(0, 0, 0), there, endless));
    const auto pairs = NEED(context.pairs(a, {b, there}, 0.0));
    const auto collisions = NEED(tracker.collisions());
    CHECK_EQ(tracked.propagated, 1u);
    CHECK_EQ(tracked.collisions, collisions.size());
    REQUIRE_EQ(collisions.size(), pairs.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        CHECK_EQ(collisions[k].triangle_a, pairs[k].triangle_a);
        CHECK_EQ(collisions[k].triangle_b, pairs[k].triangle_b);
        CHECK_EQ(collisions[k].distance, 0.0);
    }
    // Halves of two sides beside each other that share no corner come as near as the root of 1/3, and no others nearer.
    def = prx_tracker_def_default();
    def.itself = 1;
    CHECK_REFUSED(context.tracker(a, b, def), PRX_STATUS_INVALID_ARGUMENT, "the meshes are two");
    proxel::Tracker folds = NEED(context.tracker(a, a, def));
    const PrxTracked own = NEED(folds.step(there, there, endless));
    CHECK((own.distance.lower == 0 && own.exact == 0 && own.distance.upper >= std::sqrt(1.0 / 3) - 1e-9));
    CHECK_REFUSED(folds.step(at(0, 0, 0), there, endless), PRX_STATUS_INVALID_ARGUMENT, "pose_a and pose_b differ");
    def.levels = 2;
    CHECK_REFUSED(context.tracker(a, a, def), PRX_STATUS_INVALID_ARGUMENT, "levels is above 1");
    def.itself = 2;
    CHECK_REFUSED(context.tracker(a, a, def), PRX_STATUS_INVALID_ARGUMENT, "itself is 2");
    def.itself = 0;
    def.levels = 33;
    CHECK_REFUSED(context.tracker(a, b, def), PRX_STATUS_INVALID_ARGUMENT, "levels is 33");
    def.levels = 1;
    def.colliding = INFINITY;
    CHECK_REFUSED(context.tracker(a, b, def), PRX_STATUS_INVALID_ARGUMENT, "colliding is inf");
}

/// The same steps suffice for a bound from below where boxes fit already, and not where fitting them takes more.
void a_refit_is_inside_the_budget(const proxel::Context& context) {
    const Shape ring = torus(200, 100);
    proxel::Mesh a = make(context, ring), b = make(context, ring);
    PrxTrackerDef def = prx_tracker_def_default();
    def.max_pairs = def.fresh_pairs = 1;
    proxel::Tracker tracker = NEED(context.tracker(a, b, def));
    const PrxPose here = at(0, 0, 0), there = at(20, 0, 0);
    CHECK_EQ(NEED(tracker.step(here, there, endless)).exact, 1u);
    // A step for every 16 of 40,000 triangles is more than this.
    const PrxBudget few = proxel::budget(INFINITY, 2400);
    CHECK(NEED(tracker.step(here, there, few)).distance.lower > 0);
    NEED(a.update(ring.positions));
    const PrxTracked hurried = NEED(tracker.step(here, there, few));
    CHECK((hurried.distance.lower == 0 && hurried.exact == 0 && hurried.steps <= 2401));
    const PrxTracked thorough = NEED(tracker.step(here, there, endless));
    CHECK((thorough.exact == 1 && thorough.distance.distance <= hurried.distance.distance));
}

/// Far apart is certain; deep inside each other is likely.
void a_chance_tells_far_from_deep(const proxel::Context& context) {
    proxel::Mesh a = make(context, torus(40, 20));
    const PrxChance far = NEED(context.collision_chance(a, {a, at(20, 0, 0)}, 0.9, endless));
    CHECK((far.apart == 1 && far.probability == 0));
    const PrxChance deep = NEED(context.collision_chance(a, {a, at(0.2f, 0.1f, 0.15f)}, 0.9, endless));
    CHECK((deep.apart == 0 && deep.probability > 0.5));
    CHECK_REFUSED(context.collision_chance(a, a, 0, endless), PRX_STATUS_INVALID_ARGUMENT, "enough is 0");
}

/// A cube that slides 4 to the left on a screw without a turn meets another, 2 away, half way.
void screws_and_folds(const proxel::Context& context) {
    proxel::Mesh a = make(context, cube()), b = make(context, cube());
    PrxImpact impact = NEED(context.sweep_poses(a, at(0, 0, 0), {b, at(3, 0, 0)}, at(-1, 0, 0)));
    CHECK_EQ(impact.hit, 1u);
    CHECK((impact.time <= 0.5 && impact.time > 0.5 - 1e-4));
    // Seen from a, all is the same when both move along by 10.
    impact = NEED(context.sweep_poses(a, at(0, 10, 0), {b, at(3, 0, 0)}, at(-1, 10, 0)));
    CHECK((impact.time <= 0.5 && impact.time > 0.5 - 1e-4));
    CHECK_NEAR(impact.point_a[0], 1.0, 1e-3);
    CHECK((impact.point_a[1] > 4.9f && impact.point_a[1] < 6.1f));
    CHECK_EQ(NEED(context.sweep_poses(a, at(0, 0, 0), {b, at(3, 0, 0)}, at(3, 5, 0))).hit, 0u);

    // A triangle whose tip goes down from 2 to -2 through the other triangle of its mesh.
    const Shape above{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 2}, {1.2f, 1, 2.5f}, {1, 1.2f, 2.5f}}, {{0, 1, 2}, {3, 4, 5}}};
    Shape below = above;
    below.positions[3] = {1, 1, -2};
    proxel::Mesh from = make(context, above), to = make(context, below);
    impact = NEED(context.sweep_self(from, to));
    CHECK((impact.hit == 1 && impact.time <= 0.5 && impact.time > 0.5 - 1e-4));
    CHECK_EQ(NEED(context.sweep_self(from, from)).hit, 0u);
}

/// One vertex of a tetrahedron in another, at a place whose weights are known.
void a_vertex_in_a_tetrahedron(const proxel::Context& context) {
    const float first[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const float second[] = {0.25f, 0.25f, 0.25f, 5, 0, 0, 5, 1, 0, 5, 0, 1};
    const std::uint32_t corners[] = {0, 1, 2, 3};
    PrxTetrahedralBody bodies[] = {{first, corners, 4, 1}, {second, corners, 4, 1}};
    const auto inside = NEED(context.vertices_inside(bodies));
    CHECK_EQ(inside.size(), 1u);
    if (inside.size() == 1) {
        CHECK((inside[0].vertex_body == 1 && inside[0].vertex == 0 && inside[0].tetrahedron_body == 0 && inside[0].tetrahedron == 0));
        for (double weight : inside[0].weights) CHECK_NEAR(weight, 0.25, 1e-12);
    }
    // All of its edges leave through the face x + y + z = 1, which is a quarter away along each axis.
    const auto depths = NEED(context.vertex_depths(bodies));
    CHECK_EQ(depths.size(), 1u);
    if (depths.size() == 1) {
        CHECK((depths[0].vertex_body == 1 && depths[0].vertex == 0 && depths[0].body == 0 && depths[0].steps == 1));
        CHECK_NEAR(depths[0].depth, 0.25 / std::sqrt(3.0), 1e-12);
        for (double x : depths[0].direction) CHECK_NEAR(x, 1 / std::sqrt(3.0), 1e-12);
    }
    const std::uint32_t wrong[] = {0, 1, 2, 4};
    bodies[0].tetrahedra = wrong;
    CHECK_REFUSED(context.vertices_inside(bodies), PRX_STATUS_INVALID_ARGUMENT, "tetrahedron 0");
    CHECK_REFUSED(context.vertex_depths(bodies), PRX_STATUS_INVALID_ARGUMENT, "tetrahedron 0");
}

/// Whatever the volume, the arity and the update: the pairs are those of the exact query.
void every_hierarchy_agrees(const proxel::Context& context) {
    const Shape ring = torus(24, 12);
    proxel::Mesh a = make(context, ring), b = make(context, moved(ring, {0.4f, 0.3f, 0.2f}));
    for (PrxBoundingVolume volume : {PRX_BOUNDING_VOLUME_BOX, PRX_BOUNDING_VOLUME_DOP18}) {
        for (std::uint32_t arity : {2u, 4u, 8u}) {
            for (PrxRefitOrder update : {PRX_REFIT_ORDER_BOTTOM_UP, PRX_REFIT_ORDER_TOP_DOWN, PRX_REFIT_ORDER_HYBRID}) {
                PrxHierarchyDef def = prx_hierarchy_def_default();
                def.volume = volume;
                def.arity = arity;
                def.update = update;
                proxel::Hierarchy first = NEED(context.hierarchy(a, def)), second = NEED(context.hierarchy(b, def));
                NEED(b.update(moved(ring, {0.1f, 0.5f, 0.1f}).positions));
                CHECK_EQ(NEED(second.update()), PRX_HIERARCHY_CHANGE_REFITTED);
                const auto found = NEED(first.pairs(second));
                const auto expected = NEED(context.pairs(a, b));
                CHECK((!expected.empty() && found.size() == expected.size()));
                for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i)
                    CHECK((found[i].first == expected[i].triangle_a && found[i].second == expected[i].triangle_b));
                NEED(b.update(moved(ring, {0.4f, 0.3f, 0.2f}).positions));
            }
        }
    }
    PrxHierarchyDef odd = prx_hierarchy_def_default();
    odd.arity = 3;
    CHECK_REFUSED(context.hierarchy(a, odd), PRX_STATUS_INVALID_ARGUMENT, "arity is 3");
    PrxHierarchyDef dop = prx_hierarchy_def_default();
    dop.volume = PRX_BOUNDING_VOLUME_DOP18;
    proxel::Hierarchy boxes = NEED(context.hierarchy(a)), dops = NEED(context.hierarchy(b, dop));
    CHECK_REFUSED(boxes.pairs(dops), PRX_STATUS_INVALID_ARGUMENT, "different kinds");
    CHECK_REFUSED(boxes.pairs(boxes), PRX_STATUS_INVALID_ARGUMENT, "the same one");
}

/// Halfway between two targets, and displaced by a field: no vertex is looked at, and no pair is lost.
void blends_and_displacements(const proxel::Context& context) {
    const Shape ring = torus(24, 12), far = moved(ring, {4, 0, 0}), half = moved(ring, {2, 0, 0});
    proxel::Mesh still = make(context, moved(ring, {2.2f, 0.3f, 0.1f})), body = make(context, ring);
    const proxel::Mesh targets[] = {make(context, ring), make(context, far)};
    proxel::Hierarchy other = NEED(context.hierarchy(still)), mine = NEED(context.hierarchy(body));
    CHECK_REFUSED(mine.blend({0.5f, 0.5f}), PRX_STATUS_INVALID_ARGUMENT, "no morph targets");
    NEED(mine.set_targets({targets[0].handle(), targets[1].handle()}));
    NEED(body.update(half.positions));
    NEED(mine.blend({0.5f, 0.5f}));
    const std::size_t expected = NEED(context.pairs(body, still)).size();
    CHECK(expected > 0);
    CHECK_EQ(NEED(mine.pairs(other)).size(), expected);
    CHECK_REFUSED(mine.blend({0.5f, 0.6f}), PRX_STATUS_INVALID_ARGUMENT, "sum must be 1");
    CHECK_REFUSED(mine.blend({1.0f}), PRX_STATUS_INVALID_ARGUMENT, "1 weights for 2");

    NEED(body.update(ring.positions));
    NEED(mine.update());
    std::vector<float> along(3 * ring.positions.size());
    for (std::size_t v = 0; v < ring.positions.size(); ++v) along[3 * v] = 1;
    NEED(mine.set_displacements(along.data(), 1));
    NEED(body.update(half.positions));
    NEED(mine.deform({2.0f}));
    CHECK_EQ(NEED(mine.pairs(other)).size(), expected);

    // Polytopes, and both bodies somewhere else: the pairs are those of the exact query there.
    PrxHierarchyDef dops = prx_hierarchy_def_default();
    dops.volume = PRX_BOUNDING_VOLUME_DOP18;
    dops.arity = 2;
    NEED(body.update(ring.positions));
    proxel::Hierarchy of_other = NEED(context.hierarchy(still, dops)), of_mine = NEED(context.hierarchy(body, dops));
    NEED(of_mine.set_displacements(along.data(), 1));
    NEED(body.update(half.positions));
    NEED(of_mine.deform({2.0f}));
    for (float turn : {0.0f, 0.4f, 1.3f}) {
        PrxPose here = at(0.2f, -3, 5), there = at(0.3f, -3, 5.2f);
        here.rotation[2] = std::sin(turn), here.rotation[3] = std::cos(turn);
        const auto pairs = NEED(of_mine.pairs(of_other, &here, &there)), truth_of_boxes = NEED(mine.pairs(other, &here, &there));
        const auto truth = NEED(context.pairs({body, here}, {still, there}, 0.0));
        REQUIRE_EQ(pairs.size(), truth.size());
        REQUIRE_EQ(truth_of_boxes.size(), truth.size());
        for (std::size_t k = 0; k < truth.size(); ++k) {
            CHECK((pairs[k].first == truth[k].triangle_a && pairs[k].second == truth[k].triangle_b));
        }
    }
}

}  // namespace

TEST_CASE("survey") {
    Witness witness;
    {
        PrxContextDef def = witness.def();
        proxel::Context context = NEED(proxel::Context::open(def));
        a_tracker_brackets_the_gap(context);
        a_tracker_spreads_collisions(context);
        a_refit_is_inside_the_budget(context);
        a_chance_tells_far_from_deep(context);
        screws_and_folds(context);
        a_vertex_in_a_tetrahedron(context);
        every_hierarchy_agrees(context);
        blends_and_displacements(context);
    }
}
