// Exact queries through the package: distance, pairs, self-intersections, sweep.
#include <cmath>
#include <cstring>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

proxel::Mesh make(const proxel::Context& context, const Shape& shape) {
    return NEED(context.mesh(shape.positions, shape.triangles, "shape", PRX_MESH_DEFORMING));
}

Shape moved(Shape shape, Vec3 by) {
    for (Vec3& p : shape.positions) p = {p.x + by.x, p.y + by.y, p.z + by.z};
    return shape;
}

/// A triangle that stands on a point of the plane z = 0, or goes through it, `low` deep.
Shape spike(float x, float y, float low) {
    return {{{x - 0.1f, y, 1}, {x, y, -low}, {x + 0.1f, y, 1}}, {{0, 1, 2}}};
}

/// Two triangles, the square from 0 to 4 in the plane z = 0.
Shape floor() { return {{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}}, {{0, 1, 2}, {0, 2, 3}}}; }

void cubes_above_each_other(const proxel::Context& context) {
    proxel::Mesh a = make(context, cube()), b = make(context, cube());
    PrxDistance d = NEED(context.distance(a, {b, at(0.25f, 0.25f, 3)}));
    CHECK_NEAR(d.distance, 2.0, 1e-12);
    CHECK((d.lower <= 2.0 && d.upper >= 2.0 && d.upper - d.lower < 1e-12));
    CHECK_EQ(d.intersecting, 0u);
    CHECK_EQ(d.point_a[2], 1.0f);
    CHECK_EQ(d.point_b[2], 3.0f);
    // Of all triangles only those that reach the top of `a` and the bottom of `b` can be nearest.
    const auto reaches = [shape = cube()](std::uint32_t triangle, float z) {
        bool found = false;
        for (std::uint32_t v : shape.triangles.at(triangle)) found = found || shape.positions[v].z == z;
        return found;
    };
    CHECK(reaches(d.triangle_a, 1));
    CHECK(reaches(d.triangle_b, 0));

    // Both turned a quarter about x: what was above is in front.
    PrxPose turned = at(0, 0, 0), front = at(0, -3, 0);
    for (PrxPose* pose : {&turned, &front}) pose->rotation[0] = pose->rotation[3] = 0.70710678f;
    d = NEED(context.distance({a, turned}, {b, front}));
    CHECK_NEAR(d.distance, 2.0, 1e-6);
    CHECK_NEAR(d.point_a[1], -1.0, 1e-6);
    CHECK_NEAR(d.point_b[1], -3.0, 1e-6);

    d = NEED(context.distance(a, {b, at(1, 0, 0)}));
    CHECK_EQ(d.intersecting, 1u);
    CHECK_EQ(d.distance, 0.0);
    CHECK_EQ(d.lower, 0.0);
}

/// Four cubes in a row: six pairs at once, each as it is alone, and as it must be.
void several_pairs_at_once(const proxel::Context& context) {
    std::vector<proxel::Mesh> cubes;
    for (int i = 0; i < 4; ++i) cubes.push_back(make(context, moved(cube(), {3.0f * static_cast<float>(i), 0, 0})));
    std::vector<PrxMeshPair> pairs;
    std::vector<double> gaps;
    for (std::size_t i = 0; i < cubes.size(); ++i)
        for (std::size_t j = i + 1; j < cubes.size(); ++j) {
            pairs.push_back({cubes[i].handle(), cubes[j].handle(), prx_pose_identity(), at(0.5f, 0, 0)});
            gaps.push_back(3.0 * static_cast<double>(j - i) - 0.5);
        }
    const std::vector<PrxDistance> found = NEED(context.distances(pairs));
    for (std::size_t k = 0; k < pairs.size(); ++k) CHECK_NEAR(found.at(k).distance, gaps[k], 1e-6);
    const PrxDistance alone = NEED(context.distance(cubes[1], {cubes[3], at(0.5f, 0, 0)}));
    CHECK_EQ(alone.distance, found.at(4).distance);
    CHECK_EQ(alone.triangle_b, found.at(4).triangle_b);
    CHECK(NEED(context.distances({})).empty());
    pairs[2].b = PrxMesh{0};
    CHECK_REFUSED(context.distances(pairs), PRX_STATUS_INVALID_HANDLE, "mesh");
    CHECK_EQ(prx_mesh_distances(nullptr, pairs.data(), 1, nullptr, nullptr), PRX_STATUS_INVALID_HANDLE);
}

void what_the_def_asks_for(const proxel::Context& context) {
    proxel::Mesh a = make(context, cube()), b = make(context, moved(cube(), {0, 0, 3}));
    PrxDistanceDef def = prx_distance_def_default();
    for (PrxDistanceMethod method : {PRX_DISTANCE_METHOD_AUTO, PRX_DISTANCE_METHOD_HIERARCHY, PRX_DISTANCE_METHOD_MARGIN_HASH}) {
        def.method = method;
        CHECK_EQ(NEED(context.distance(a, b, def)).distance, 2.0);
    }
    def = prx_distance_def_default();
    def.within = 1.5;
    PrxDistance d = NEED(context.distance(a, b, def));
    CHECK((std::isinf(d.distance) && std::isinf(d.upper)));
    CHECK_NEAR(d.lower, 1.5, 1e-12);
    CHECK_EQ(d.triangle_a, PRX_NO_INDEX);
    CHECK_EQ(d.triangle_b, PRX_NO_INDEX);

    def = prx_distance_def_default();
    def.bounds_only = 1;
    d = NEED(context.distance(a, b, def));
    CHECK((d.lower <= 2.0 && d.upper >= 2.0 && d.lower > 1.999));

    def = prx_distance_def_default();
    def.start_triangle_a = def.start_triangle_b = 11;
    CHECK_EQ(NEED(context.distance(a, b, def)).distance, 2.0);
    def.start_triangle_b = 12;
    CHECK_REFUSED(context.distance(a, b, def), PRX_STATUS_INVALID_ARGUMENT, "start triangle 12");
    def.start_triangle_b = PRX_NO_INDEX;
    CHECK_REFUSED(context.distance(a, b, def), PRX_STATUS_INVALID_ARGUMENT, "PRX_NO_INDEX");
}

void updates_are_followed(const proxel::Context& context) {
    proxel::Mesh a = make(context, cube()), b = make(context, moved(cube(), {0, 0, 3}));
    for (float height : {3.0f, 7.0f, 2.0f, 2.0f, 5.0f}) {
        NEED(b.update(moved(cube(), {0, 0, height}).positions));
        CHECK_EQ(NEED(context.distance(a, b)).distance, static_cast<double>(height) - 1.0);
    }
    NEED(b.update(cube(1, 0.5f).positions));
    CHECK_EQ(NEED(context.distance(a, b)).intersecting, 1u);
}

void spikes_through_a_floor(const proxel::Context& context) {
    proxel::Mesh plane = make(context, floor());
    // Below the diagonal is triangle 0, above it triangle 1.
    Shape spikes = spike(3, 1, 0.5f);
    spikes = together(spikes, spike(1, 3, 0.5f), {0, 0, 0});
    spikes = together(spikes, spike(2, 0.5f, 0), {0, 0, 0});
    spikes = together(spikes, spike(1.5f, 0.5f, -0.25f), {0, 0, 0});
    proxel::Mesh comb = make(context, spikes);
    const auto pairs = NEED(context.pairs(plane, comb));
    CHECK_EQ(pairs.size(), 3u);
    if (pairs.size() == 3) {
        CHECK((pairs[0].triangle_a == 0 && pairs[0].triangle_b == 0));
        CHECK((pairs[1].triangle_a == 0 && pairs[1].triangle_b == 2));
        CHECK((pairs[2].triangle_a == 1 && pairs[2].triangle_b == 1));
        // The cut of the first is a third of the way up a triangle 0.2 wide: from -0.5 to 1.
        const double width = std::fabs(pairs[0].segment[1][0] - pairs[0].segment[0][0]);
        CHECK_NEAR(width, 0.2 / 3, 1e-6);
        CHECK_EQ(std::memcmp(pairs[1].segment[0], pairs[1].segment[1], 12), 0);
    }
    const auto near = NEED(context.pairs(plane, comb, 0.25));
    CHECK_EQ(near.size(), 4u);
    double farthest = 0;
    for (const PrxPair& pair : near) farthest = std::fmax(farthest, pair.distance);
    CHECK_EQ(farthest, 0.25);

    // The same with everything else moved along, and with one moved away.
    CHECK_EQ(NEED(context.pairs({plane, at(7, 8, 9)}, {comb, at(7, 8, 9)})).size(), 3u);
    CHECK_EQ(NEED(context.pairs(plane, {comb, at(0, 0, 9)})).size(), 0u);

    Shape both = together(floor(), spikes, {0, 0, 0});
    const auto folds = NEED(make(context, both).self_pairs());
    CHECK_EQ(folds.size(), 3u);
    CHECK((folds.size() == 3 && folds[0].first == 0 && folds[0].second == 2));
    CHECK_EQ(NEED(make(context, torus(20, 12)).self_pairs()).size(), 0u);
}

void arrays_that_are_too_small(const proxel::Context& context) {
    proxel::Mesh plane = make(context, floor());
    proxel::Mesh comb = make(context, together(spike(3, 1, 0.5f), spike(1, 3, 0.5f), {0, 0, 0}));
    PrxPair pair{};
    pair.triangle_a = 77;
    std::uint64_t count = 0;
    const PrxPose here = prx_pose_identity();
    const auto ask = [&](PrxPair* out, std::uint64_t capacity) {
        return prx_mesh_pairs(context.handle(), plane.handle(), &here, comb.handle(), &here, 0, out, capacity, &count);
    };
    CHECK_EQ(ask(&pair, 1), PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK_EQ(count, 2u);
    CHECK_EQ(pair.triangle_a, 77u);
    count = 0;
    CHECK_EQ(ask(nullptr, 0), PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK_EQ(count, 2u);
    CHECK(contains(prx_last_error(context.handle()), "2 needed"));

    // More pairs than the first try of the C++ layer has room for: every triangle of 70 meets every other of 70.
    Shape heap;
    for (int i = 0; i < 70; ++i) heap = together(heap, spike(3, 1, 0.5f), {0, 0, 0});
    proxel::Mesh many = make(context, heap);
    CHECK_EQ(NEED(context.pairs(many, many)).size(), 4900u);
    CHECK_EQ(NEED(many.self_pairs()).size(), 70u * 69 / 2);
}

void a_fall_and_a_miss(const proxel::Context& context) {
    proxel::Mesh plane = make(context, floor());
    proxel::Mesh high = make(context, spike(3, 1, -3)), low = make(context, spike(3, 1, 1));
    PrxImpact impact = NEED(context.sweep(high, low, plane, plane));
    CHECK_EQ(impact.hit, 1u);
    CHECK_EQ(impact.kind, static_cast<std::uint32_t>(PRX_IMPACT_KIND_VERTEX_FACE));
    CHECK((impact.feature_a[0] == 1 && impact.feature_a[1] == PRX_NO_INDEX && impact.feature_b[0] == 0));
    // The tip goes from 3 to -1.
    CHECK((impact.time <= 0.75 && impact.time > 0.75 - 1e-5));
    CHECK_NEAR(impact.point_a[2], 0.0, 1e-4);
    CHECK_NEAR(impact.point_b[0], 3.0, 1e-4);

    proxel::Mesh beside = make(context, spike(5, 1, -3)), below = make(context, spike(5, 1, 9));
    impact = NEED(context.sweep(beside, below, plane, plane));
    CHECK_EQ(impact.hit, 0u);
    CHECK_EQ(impact.kind, static_cast<std::uint32_t>(PRX_IMPACT_KIND_NONE));
    CHECK(std::isinf(impact.time));

    impact = NEED(context.sweep(low, high, plane, plane));
    CHECK_EQ(impact.kind, static_cast<std::uint32_t>(PRX_IMPACT_KIND_START));
    CHECK_EQ(impact.time, 0.0);
    std::vector<PrxFeatureImpact> impacts = NEED(context.impacts(high, low, plane, plane));
    const double step = NEED(context.free_step(high, low, plane, plane));
    // The tip goes through one face, or through the edge between two of them.
    CHECK(!impacts.empty());
    double earliest = 1;
    for (const PrxFeatureImpact& each : impacts) {
        CHECK((each.kind == PRX_IMPACT_KIND_VERTEX_FACE || each.kind == PRX_IMPACT_KIND_FACE_VERTEX ||
               each.kind == PRX_IMPACT_KIND_EDGE_EDGE));
        CHECK((each.time > 0 && each.time <= 1));
        earliest = std::min(earliest, each.time);
    }
    CHECK_EQ(earliest, step);
    CHECK((step <= 0.75 && step > 0.75 * (1 - 1e-3)));
    CHECK_EQ(impacts[0].feature_a[0], 1u);
    CHECK_NEAR(impacts[0].normal[2], -1.0, 1e-6);
    CHECK_EQ(NEED(context.free_step(beside, below, plane, plane)), 1.0);
    CHECK(NEED(context.impacts(beside, below, plane, plane)).empty());
    PrxImpactsDef apart = prx_impacts_def_default();
    apart.separation = 0.5;
    // The base of the spike stays at a height of 1; the tip comes down to 0.5 after 2.5 of its 4.
    CHECK_NEAR(NEED(context.free_step(high, low, plane, plane, apart)), 0.625, 0.7e-3);
    apart.separation = NAN;
    CHECK_REFUSED(context.free_step(high, low, plane, plane, apart), PRX_STATUS_INVALID_ARGUMENT, "separation is NaN");
    apart = prx_impacts_def_default();
    apart.start_intersections = 1;
    CHECK_EQ(NEED(context.free_step(low, high, plane, plane, apart)), 0.0);
    apart.start_intersections = 2;
    CHECK_REFUSED(context.free_step_self(high, low, apart), PRX_STATUS_INVALID_ARGUMENT, "start_intersections is 2");
    CHECK_EQ(NEED(context.free_step_self(high, low)), 1.0);
    CHECK(NEED(context.impacts_self(high, low)).empty());
    PrxFeatureImpact one;
    std::uint64_t count = 0;
    PrxStatus small = prx_mesh_impacts(context.handle(), high.handle(), low.handle(), plane.handle(), plane.handle(), nullptr, &one, 0, &count);
    CHECK_EQ(small, PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK_EQ(count, impacts.size());
    CHECK_REFUSED(context.sweep(high, plane, plane, plane), PRX_STATUS_INVALID_ARGUMENT, "a0 and a1");
    CHECK_REFUSED(context.sweep(high, low, plane, low), PRX_STATUS_INVALID_ARGUMENT, "b0 and b1");
}

void misuse_is_told(const proxel::Context& context) {
    proxel::Mesh a = make(context, cube()), gone;
    PrxDistanceDef def = prx_distance_def_default();
    def.size += 4;
    CHECK_REFUSED(context.distance(a, a, def), PRX_STATUS_STRUCT_SIZE, "prx_distance_def_default");
    def = prx_distance_def_default();
    def.method = static_cast<PrxDistanceMethod>(3);
    CHECK_REFUSED(context.distance(a, a, def), PRX_STATUS_INVALID_ARGUMENT, "method is 3");
    def = prx_distance_def_default();
    def.bounds_only = 2;
    CHECK_REFUSED(context.distance(a, a, def), PRX_STATUS_INVALID_ARGUMENT, "bounds_only is 2");
    for (double within : {-1.0, static_cast<double>(NAN)}) {
        def = prx_distance_def_default();
        def.within = within;
        CHECK_REFUSED(context.distance(a, a, def), PRX_STATUS_INVALID_ARGUMENT, "within is");
        CHECK_REFUSED(context.pairs(a, a, within), PRX_STATUS_INVALID_ARGUMENT, "distance is");
    }
    CHECK_REFUSED(context.pairs(a, a, INFINITY), PRX_STATUS_INVALID_ARGUMENT, "inf");
    PrxSweepDef sweep = prx_sweep_def_default();
    sweep.tolerance = NAN;
    CHECK_REFUSED(context.sweep(a, a, a, a, sweep), PRX_STATUS_INVALID_ARGUMENT, "tolerance is NaN");
    sweep.size = 0;
    CHECK_REFUSED(context.sweep(a, a, a, a, sweep), PRX_STATUS_STRUCT_SIZE, "PrxSweepDef");
    PrxPose bent = prx_pose_identity();
    bent.rotation[3] = 2;
    CHECK_REFUSED(context.distance(a, {a, bent}), PRX_STATUS_INVALID_ARGUMENT, "length 2");
    CHECK_REFUSED(context.pairs({a, bent}, a), PRX_STATUS_INVALID_ARGUMENT, "length 2");
    CHECK_EQ(context.distance(a, gone).status(), PRX_STATUS_INVALID_HANDLE);
    CHECK_EQ(context.pairs(gone, a).status(), PRX_STATUS_INVALID_HANDLE);
    CHECK_EQ(gone.self_pairs().status(), PRX_STATUS_INVALID_HANDLE);
    CHECK_EQ(context.sweep(a, a, a, gone).status(), PRX_STATUS_INVALID_HANDLE);
}

TEST_CASE("exact") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    cubes_above_each_other(context);
    several_pairs_at_once(context);
    what_the_def_asks_for(context);
    updates_are_followed(context);
    spikes_through_a_floor(context);
    arrays_that_are_too_small(context);
    a_fall_and_a_miss(context);
    misuse_is_told(context);
}

}  // namespace
