// Near lists through the package: what is listed, by vertex, what is left out, how far vertices may move, and what is refused.
#include <algorithm>
#include <cmath>

#include "witness.hpp"
#include "shapes.hpp"

using namespace test;

namespace {

proxel::Mesh make(const proxel::Context& context, const Shape& shape) {
    return NEED(context.mesh(shape.positions, shape.triangles, "shape", PRX_MESH_DEFORMING));
}

/// Two triangles, the square from 0 to 4 in the plane z = 0.
Shape floor() { return {{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}}, {{0, 1, 2}, {0, 2, 3}}}; }

/// A triangle whose lowest corner, vertex 1, hangs at `height` above the point (3, 1) of the floor.
Shape spike(float height) { return {{{2.9f, 1, 2}, {3, 1, height}, {3.1f, 1, 2}}, {{0, 1, 2}}}; }

PrxNearDef closer_than(double thickness) {
    PrxNearDef def = prx_near_def_default();
    def.thickness = thickness;
    return def;
}

void a_corner_above_a_face(const proxel::Context& context) {
    proxel::Mesh plane = make(context, floor()), above = make(context, spike(0.5f));
    PrxNearDef def = closer_than(0.6);
    std::vector<PrxNearPair> pairs = NEED(context.near_pairs(above, plane, def));
    REQUIRE_EQ(pairs.size(), 1u);
    const PrxNearPair& pair = pairs[0];
    CHECK_EQ(pair.kind, PRX_IMPACT_KIND_VERTEX_FACE);
    CHECK((pair.feature_a[0] == 1 && pair.feature_a[1] == PRX_NO_INDEX));
    CHECK((pair.feature_b[0] == 0 && pair.feature_b[1] == PRX_NO_INDEX));
    CHECK_EQ(pair.distance, 0.5);
    CHECK_EQ(pair.direction[2], -1.0f);
    // (3, 1) is a quarter of each of the first and third corner, and half of the second.
    CHECK((pair.weights[0] == 1.0 && pair.weights[1] == 0.25 && pair.weights[2] == 0.5 && pair.weights[3] == 0.25));
    CHECK((pair.region_a == PRX_NEAR_REGION_VERTEX0 && pair.region_b == PRX_NEAR_REGION_FACE && pair.repeats == 0));

    // The other way round, turned and moved with its mesh: the same from the other side.
    PrxPose turned = at(10, 0, 0);
    turned.rotation[0] = 1.0f;
    turned.rotation[3] = 0.0f;
    pairs = NEED(context.near_pairs({plane, turned}, {above, turned}, def));
    REQUIRE_EQ(pairs.size(), 1u);
    CHECK_EQ(pairs[0].kind, PRX_IMPACT_KIND_FACE_VERTEX);
    CHECK((pairs[0].feature_a[0] == 0 && pairs[0].feature_b[0] == 1));
    CHECK_NEAR(pairs[0].direction[2], -1.0, 1e-6);

    CHECK(NEED(context.near_pairs(above, plane, closer_than(0.5))).empty());
    // Farther apart, but thick enough: half of each.
    const std::vector<float> thick(3, 1.0f), thin(4, 0.1f);
    def.thickness_a = thick.data();
    def.thickness_a_count = 3;
    def.thickness_b = thin.data();
    def.thickness_b_count = 4;
    CHECK_EQ(NEED(context.near_pairs(above, plane, def)).size(), 1u);
    const std::vector<float> thinner(3, 0.8f);
    def.thickness_a = thinner.data();
    CHECK(NEED(context.near_pairs(above, plane, def)).empty());
}

/// Two squares, one above the other: what each vertex has is in its row.
void rows_of_vertices(const proxel::Context& context) {
    const Shape both = together(floor(), floor(), {0.5f, 0.25f, 0.125f});
    proxel::Mesh mesh = make(context, both);
    PrxNearDef def = closer_than(0.2);
    const std::vector<PrxNearPair> pairs = NEED(context.near_pairs_self(mesh, def));
    // A vertex of each above or below the other's face, two sides that cross two sides, and each diagonal with a side.
    CHECK_EQ(pairs.size(), 6u);
    std::uint64_t starts[9]{}, count = 0;
    double distances[8]{};
    PrxStatus status = prx_mesh_near_per_vertex(context.handle(), mesh.handle(), PRX_NEAR_SIDE_BOTH, pairs.data(), pairs.size(), starts,
                                                distances, nullptr, 0, &count);
    CHECK_EQ(status, PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK_EQ(starts[8], 0u);
    std::vector<std::uint32_t> rows(count);
    status = prx_mesh_near_per_vertex(context.handle(), mesh.handle(), PRX_NEAR_SIDE_BOTH, pairs.data(), pairs.size(), starts, distances,
                                      rows.data(), rows.size(), &count);
    REQUIRE_EQ(status, PRX_STATUS_OK);
    CHECK_EQ(starts[8], rows.size());
    for (std::uint32_t v = 0; v < 8; ++v) {
        std::vector<std::uint32_t> expected;
        for (std::uint32_t k = 0; k < pairs.size(); ++k) {
            const PrxNearPair& pair = pairs[k];
            bool has = false;
            if (pair.kind == PRX_IMPACT_KIND_EDGE_EDGE) {
                for (int i = 0; i < 2; ++i) has = has || pair.feature_a[i] == v || pair.feature_b[i] == v;
            } else {
                has = pair.feature_a[0] == v;
                for (std::uint32_t corner : both.triangles[pair.feature_b[0]]) has = has || corner == v;
            }
            if (has) expected.push_back(k);
        }
        CHECK((std::vector<std::uint32_t>(rows.begin() + std::ptrdiff_t(starts[v]), rows.begin() + std::ptrdiff_t(starts[v + 1])) == expected));
        CHECK_EQ(distances[v], expected.empty() ? INFINITY : 0.125);
    }

    const proxel::NearRows same = NEED(context.near_per_vertex(mesh, PRX_NEAR_SIDE_BOTH, pairs));
    CHECK((same.starts == std::vector<std::uint64_t>(starts, starts + 9) && same.pairs == rows));
    CHECK((same.distances == std::vector<double>(distances, distances + 8)));
    const proxel::NearRows none = NEED(context.near_per_vertex(mesh, PRX_NEAR_SIDE_BOTH, {}));
    CHECK((none.pairs.empty() && none.starts[8] == 0 && none.distances[0] == INFINITY));

    // Of this mesh nothing is left when it is its own rest shape, when all is in one group, or when the list is passed back.
    def.rest = mesh.handle();
    CHECK(NEED(context.near_pairs_self(mesh, def)).empty());
    def = closer_than(0.2);
    std::vector<std::uint32_t> groups(8, 4);
    def.groups_a = groups.data();
    def.groups_a_count = 8;
    CHECK(NEED(context.near_pairs_self(mesh, def)).empty());
    groups = {1, 1, 1, 1, 2, 2, 2, 2};
    CHECK_EQ(NEED(context.near_pairs_self(mesh, def)).size(), pairs.size());
    def = closer_than(0.2);
    def.excluded = pairs.data();
    def.excluded_count = pairs.size();
    CHECK(NEED(context.near_pairs_self(mesh, def)).empty());
    // Nothing joins the two squares, and they are near as ever.
    def = closer_than(0.2);
    def.rings = 16;
    def.mark_repeats = 1;
    std::vector<PrxNearPair> marked = NEED(context.near_pairs_self(mesh, def));
    CHECK_EQ(marked.size(), pairs.size());
    const auto repeats = [&] { return std::count_if(marked.begin(), marked.end(), [](const PrxNearPair& p) { return p.repeats == 1; }); };
    CHECK_EQ(repeats(), 0);
    // Exactly above each other, each vertex has its partner by faces, edges and all: all but four of these repeat one.
    marked = NEED(context.near_pairs_self(make(context, together(floor(), floor(), {0, 0, 0.125f})), def));
    const auto corners = [](const PrxNearPair& p) { return p.region_a < PRX_NEAR_REGION_EDGE01 && p.region_b < PRX_NEAR_REGION_EDGE01; };
    CHECK_EQ(std::count_if(marked.begin(), marked.end(), [&](const PrxNearPair& p) { return corners(p) && p.repeats == 0; }), 4);
    CHECK(repeats() >= 8);
}

/// Whatever direction they take, vertices that go as far as they may do not bring anything together.
void safe_ways(const proxel::Context& context) {
    proxel::Mesh plane = make(context, floor()), above = make(context, spike(0.5f));
    const std::vector<double> far = NEED(context.safe_distances(above, plane, closer_than(1.0), 0.1));
    REQUIRE_EQ(far.size(), 7u);
    // The tip and the face below it, and nothing else: the other face's corner and the upper corners have the thickness.
    for (std::size_t v : {1u, 3u, 4u, 5u}) CHECK_NEAR(far[v], 0.2, 1e-12);
    for (std::size_t v : {0u, 2u, 6u}) CHECK_NEAR(far[v], 0.45, 1e-12);
    for (double each : far) CHECK((each <= 0.45 && each >= 0));
    const Shape both = together(floor(), floor(), {0.5f, 0.25f, 0.125f});
    Shape end = both;
    proxel::Mesh begin = make(context, both);
    const std::vector<double> each = NEED(context.safe_distances_self(begin, closer_than(0.2)));
    REQUIRE_EQ(each.size(), 8u);
    for (std::size_t v = 0; v < 8; ++v) end.positions[v].z += static_cast<float>(each[v]) * (v < 4 ? 0.9999f : -0.9999f);
    CHECK_EQ(NEED(context.free_step_self(begin, make(context, end))), 1.0);
    // A little farther, and they meet.
    for (std::size_t v = 0; v < 8; ++v) end.positions[v].z = both.positions[v].z + static_cast<float>(each[v]) * (v < 4 ? 1.01f : -1.01f);
    CHECK(NEED(context.free_step_self(begin, make(context, end))) < 1.0);
}

void misuse_is_refused(const proxel::Context& context) {
    proxel::Mesh plane = make(context, floor()), above = make(context, spike(0.5f));
    const auto refused = [&](PrxNearDef def, const char* part) {
        CHECK_REFUSED(context.near_pairs(above, plane, def), PRX_STATUS_INVALID_ARGUMENT, part);
    };
    for (double thickness : {-1.0, double(NAN), double(INFINITY)}) refused(closer_than(thickness), "thickness is");
    const float own[3] = {1, -1, 1};
    PrxNearDef def = closer_than(1);
    def.thickness_a = own;
    def.thickness_a_count = 2;
    refused(def, "thickness_a has 2 numbers, but the mesh has 3 vertices");
    def.thickness_a_count = 3;
    refused(def, "thickness_a[1] is -1");
    def.thickness_a = nullptr;
    refused(def, "thickness_a is null");
    def = closer_than(1);
    def.rings = 1;
    refused(def, "rings is 1");
    def.rings = 17;
    CHECK_REFUSED(context.near_pairs_self(plane, def), PRX_STATUS_INVALID_ARGUMENT, "at most 16");
    def = closer_than(1);
    def.rest = plane.handle();
    refused(def, "rest is for a mesh with itself");
    CHECK_REFUSED(context.near_pairs_self(above, def), PRX_STATUS_INVALID_ARGUMENT, "the rest shape");
    def = closer_than(1);
    def.mark_repeats = 2;
    refused(def, "mark_repeats is 2");
    def = closer_than(1);
    PrxNearPair odd{};
    odd.kind = static_cast<PrxImpactKind>(9);
    def.excluded = &odd;
    def.excluded_count = 1;
    refused(def, "excluded[0].kind");
    std::uint64_t count = 0, starts[5]{};
    odd.kind = PRX_IMPACT_KIND_VERTEX_FACE;
    odd.feature_a[0] = 77;
    const auto rows = [&](PrxNearSide side) {
        return prx_mesh_near_per_vertex(context.handle(), plane.handle(), side, &odd, 1, starts, nullptr, nullptr, 0, &count);
    };
    CHECK_EQ(rows(PRX_NEAR_SIDE_A), PRX_STATUS_INVALID_ARGUMENT);
    CHECK(contains(prx_last_error(context.handle()), "pairs[0] names vertex 77"));
    CHECK_EQ(rows(static_cast<PrxNearSide>(3)), PRX_STATUS_INVALID_ARGUMENT);
    CHECK_REFUSED(context.near_per_vertex(plane, PRX_NEAR_SIDE_A, {odd}), PRX_STATUS_INVALID_ARGUMENT, "vertex 77");
    def = closer_than(1);
    const float good[3] = {1, 1, 1};
    def.thickness_a = good;
    def.thickness_a_count = 3;
    CHECK_REFUSED(context.safe_distances(above, plane, def), PRX_STATUS_INVALID_ARGUMENT, "one thickness");
    CHECK_REFUSED(context.safe_distances(above, plane, closer_than(1), NAN), PRX_STATUS_INVALID_ARGUMENT, "separation is NaN");
    // Too little room: the count and nothing else.
    PrxNearPair none{};
    const PrxNearDef wide = closer_than(9);
    CHECK_EQ(prx_mesh_near(context.handle(), above.handle(), nullptr, plane.handle(), nullptr, &wide, &none, 1, &count), PRX_STATUS_BUFFER_TOO_SMALL);
    // 3 vertices and 2 faces, 4 vertices and 1 face, 3 edges and 5 edges: all are within 9.
    CHECK_EQ(count, 3u * 2 + 4 + 3 * 5);
    CHECK_EQ(none.kind, PRX_IMPACT_KIND_NONE);
}

TEST_CASE("near lists") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    a_corner_above_a_face(context);
    rows_of_vertices(context);
    safe_ways(context);
    misuse_is_refused(context);
}

}  // namespace
