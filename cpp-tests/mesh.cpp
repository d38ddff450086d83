// Meshes from host memory: how they are read, what is true of them, how they change.
#include <cstring>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

bool same(const PrxBounds& b, Vec3 low, Vec3 high) {
    return b.min[0] == low.x && b.min[1] == low.y && b.min[2] == low.z && b.max[0] == high.x && b.max[1] == high.y &&
           b.max[2] == high.z;
}

PrxMeshFacts facts_of(const proxel::Context& context, const Shape& shape, PrxVertices vertices = PRX_VERTICES_INDEXED) {
    return NEED(NEED(context.mesh(shape.positions, shape.triangles)).facts(vertices));
}

void a_cube_is_a_cube(const proxel::Context& context) {
    const PrxMeshFacts facts = facts_of(context, cube(2, -1));
    CHECK_EQ(facts.vertex_count, 8u);
    CHECK_EQ(facts.used_vertex_count, 8u);
    CHECK_EQ(facts.triangle_count, 12u);
    CHECK_EQ(facts.degenerate_triangle_count, 0u);
    CHECK_EQ(facts.border_edge_count, 0u);
    CHECK_EQ(facts.non_manifold_edge_count, 0u);
    CHECK_EQ(facts.non_manifold_vertex_count, 0u);
    CHECK_EQ(facts.cluster_count, 1u);
    CHECK_EQ(facts.closed, 1u);
    CHECK_EQ(facts.manifold, 1u);
    CHECK_EQ(facts.oriented, 1u);
    CHECK(same(facts.bounds, {-1, -1, -1}, {1, 1, 1}));
    CHECK_EQ(facts.area, 24.0);
    CHECK_EQ(facts.volume, 8.0);
    for (int i = 0; i < 3; ++i) {
        CHECK_EQ(facts.center_of_mass[i], 0.0);
        for (int j = 0; j < 3; ++j) CHECK_NEAR(facts.inertia[i][j], i == j ? 8.0 * 4 / 6 : 0.0, 1e-12);
    }

    Shape inside_out = cube(2, -1);
    for (Triangle& t : inside_out.triangles) std::swap(t[0], t[1]);
    CHECK_EQ(facts_of(context, inside_out).volume, -8.0);
}

void an_open_cube_has_a_border(const proxel::Context& context) {
    Shape open = cube();
    open.triangles.resize(10);
    const PrxMeshFacts facts = facts_of(context, open);
    CHECK_EQ(facts.closed, 0u);
    CHECK_EQ(facts.manifold, 1u);
    CHECK_EQ(facts.oriented, 1u);
    CHECK_EQ(facts.border_edge_count, 4u);
    CHECK_EQ(facts.area, 5.0);
}

void a_moebius_strip_has_no_orientation(const proxel::Context& context) {
    const PrxMeshFacts facts = facts_of(context, moebius(24));
    CHECK_EQ(facts.closed, 0u);
    CHECK_EQ(facts.manifold, 1u);
    CHECK_EQ(facts.oriented, 0u);
    CHECK_EQ(facts.border_edge_count, 48u);
    CHECK_EQ(facts.non_manifold_vertex_count, 0u);
}

void two_cubes_touching_are_told_apart(const proxel::Context& context) {
    const PrxMeshFacts apart = facts_of(context, together(cube(), cube(), {3, 0, 0}));
    CHECK_EQ(apart.closed, 1u);
    CHECK_EQ(apart.manifold, 1u);
    CHECK_EQ(apart.area, 12.0);
    CHECK_NEAR(apart.volume, 2.0, 1e-12);
    CHECK(same(apart.bounds, {0, 0, 0}, {4, 1, 1}));

    // Welded, cubes that share an edge have four triangles on it; that share a corner pinch it.
    const PrxMeshFacts edge = facts_of(context, together(cube(), cube(), {1, 1, 0}), PRX_VERTICES_WELDED);
    CHECK_EQ(edge.used_vertex_count, 14u);
    CHECK_EQ(edge.non_manifold_edge_count, 1u);
    CHECK_EQ(edge.closed, 1u);
    CHECK_EQ(edge.manifold, 0u);
    const PrxMeshFacts corner = facts_of(context, together(cube(), cube(), {1, 1, 1}), PRX_VERTICES_WELDED);
    CHECK_EQ(corner.used_vertex_count, 15u);
    CHECK_EQ(corner.non_manifold_vertex_count, 1u);
    CHECK_EQ(corner.non_manifold_edge_count, 0u);
    CHECK_EQ(corner.manifold, 0u);
}

void degenerate_triangles_are_counted_exactly(const proxel::Context& context) {
    Shape shape;
    // 1/3 as a float: the first three are on a line by construction, the fourth is one unit in the last place off it.
    const float third = 1.0f / 3.0f;
    shape.positions = {{0, 0, 0}, {third, third, third}, {2 * third, 2 * third, 2 * third},
                       {2 * third, 2 * third, std::nextafter(2 * third, 1.0f)}, {5, 5, 5}};
    shape.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 0, 4}, {4, 4, 4}};
    const PrxMeshFacts facts = facts_of(context, shape);
    CHECK_EQ(facts.degenerate_triangle_count, 3u);
    // Vertex 4 has only triangles with repeated vertices.
    CHECK_EQ(facts.used_vertex_count, 4u);
    CHECK_EQ(facts.vertex_count, 5u);
}

void split_vertices_are_welded_on_request(const proxel::Context& context) {
    const Shape whole = cube();
    Shape split;
    for (const Triangle& t : whole.triangles) {
        const auto first = static_cast<std::uint32_t>(split.positions.size());
        for (std::uint32_t v : t) split.positions.push_back(whole.positions[v]);
        split.triangles.push_back({first, first + 1, first + 2});
    }
    CHECK_EQ(facts_of(context, split).closed, 0u);
    CHECK_EQ(facts_of(context, split).used_vertex_count, 36u);
    const PrxMeshFacts welded = facts_of(context, split, PRX_VERTICES_WELDED);
    CHECK_EQ(welded.closed, 1u);
    CHECK_EQ(welded.used_vertex_count, 8u);
    CHECK_EQ(welded.vertex_count, 36u);
}

/// Any layout of the caller's memory gives the same mesh: narrow or wide indices, any stride, any alignment.
void layouts_do_not_matter(const proxel::Context& context) {
    const Shape shape = torus(20, 10);
    const PrxMeshFacts expected = facts_of(context, shape);
    std::vector<std::uint16_t> narrow;
    for (const Triangle& t : shape.triangles)
        for (std::uint32_t v : t) narrow.push_back(static_cast<std::uint16_t>(v));
    for (std::size_t stride : {12, 13, 16, 32, 100}) {
        std::vector<unsigned char> bytes(1 + stride * shape.positions.size(), 0xff);
        for (std::size_t i = 0; i < shape.positions.size(); ++i)
            std::memcpy(&bytes[1 + i * stride], &shape.positions[i], sizeof(Vec3));
        const proxel::Positions positions(&bytes[1], static_cast<std::uint32_t>(shape.positions.size()), stride);
        for (const proxel::Indices& indices : {proxel::Indices(narrow), proxel::Indices(shape.triangles)}) {
            proxel::Mesh mesh = NEED(context.mesh(positions, indices));
            const PrxMeshFacts facts = NEED(mesh.facts());
            CHECK(std::memcmp(&facts, &expected, sizeof facts) == 0);
            const PrxBounds bounds = NEED(mesh.bounds());
            CHECK(std::memcmp(&bounds, &expected.bounds, sizeof bounds) == 0);
        }
    }
}

void unused_vertices_count_for_bounds_only(const proxel::Context& context) {
    Shape shape = cube();
    shape.positions.push_back({9, 0, 0});
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
    CHECK(same(NEED(mesh.bounds()), {0, 0, 0}, {9, 1, 1}));
    CHECK(same(NEED(mesh.facts()).bounds, {0, 0, 0}, {1, 1, 1}));
    CHECK_EQ(NEED(mesh.facts()).used_vertex_count, 8u);
}

void positions_can_be_updated_whole_or_in_part(const proxel::Context& context) {
    const Shape shape = cube();
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles, "soft", PRX_MESH_DEFORMING));
    NEED(mesh.update(cube(3, 1).positions));
    CHECK(same(NEED(mesh.bounds()), {1, 1, 1}, {4, 4, 4}));
    CHECK_NEAR(NEED(mesh.facts()).volume, 27.0, 1e-12);

    // One vertex of a range, with a stride, without a submission between the updates.
    const struct {
        Vec3 place;
        float other[2];
    } moved[] = {{{-7, 2, 2}, {99, 99}}, {{2, 8, 2}, {99, 99}}};
    NEED(mesh.update(moved, 3));
    NEED(mesh.update(std::vector<float>{2, 2, 9}, 3));
    CHECK(same(NEED(mesh.bounds()), {1, 1, 1}, {4, 8, 9}));
    CHECK(same(NEED(mesh.facts()).bounds, {1, 1, 1}, {4, 8, 9}));
    NEED(mesh.update(proxel::Positions(moved, 0)));
    CHECK(same(NEED(mesh.bounds()), {1, 1, 1}, {4, 8, 9}));

    CHECK_REFUSED(mesh.update(shape.positions, 1), PRX_STATUS_INVALID_ARGUMENT, "8 vertices from 1 on");
    CHECK_REFUSED(mesh.update(shape.positions, UINT32_MAX), PRX_STATUS_INVALID_ARGUMENT, "the mesh has 8");
    const Vec3 nowhere{0, NAN, 0};
    CHECK_REFUSED(mesh.update(proxel::Positions(&nowhere, 1), 5), PRX_STATUS_INVALID_ARGUMENT, "vertex 5");
    CHECK(same(NEED(mesh.bounds()), {1, 1, 1}, {4, 8, 9}));
}

void a_static_mesh_stays(const proxel::Context& context) {
    const Shape shape = cube();
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles, "marble"));
    CHECK_REFUSED(mesh.update(cube(3).positions), PRX_STATUS_WRONG_STATE, "marble");
    CHECK(same(NEED(mesh.bounds()), {0, 0, 0}, {1, 1, 1}));
}

/// The caller's memory may go as soon as the call returns.
void everything_is_copied(const proxel::Context& context) {
    Shape shape = cube();
    std::string label = "briefly mine";
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles, label.c_str(), 0));
    shape.positions.assign(8, {77, 77, 77});
    shape.triangles.assign(12, {0, 0, 0});
    label.assign("gone");
    CHECK(same(NEED(mesh.bounds()), {0, 0, 0}, {1, 1, 1}));
    CHECK_EQ(NEED(mesh.facts()).degenerate_triangle_count, 0u);
    CHECK_REFUSED(mesh.update(shape.positions), PRX_STATUS_WRONG_STATE, "briefly mine");
}

TEST_CASE("mesh") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    a_cube_is_a_cube(context);
    an_open_cube_has_a_border(context);
    a_moebius_strip_has_no_orientation(context);
    two_cubes_touching_are_told_apart(context);
    degenerate_triangles_are_counted_exactly(context);
    split_vertices_are_welded_on_request(context);
    layouts_do_not_matter(context);
    unused_vertices_count_for_bounds_only(context);
    positions_can_be_updated_whole_or_in_part(context);
    a_static_mesh_stays(context);
    everything_is_copied(context);
}

}  // namespace
