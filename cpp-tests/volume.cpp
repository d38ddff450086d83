// Layered depth images through the package: volume, containment, layers, folds, and what they refuse.
#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "engine.hpp"
#include "shapes.hpp"

using namespace test;

namespace {

proxel::Mesh make(const proxel::Context& context, const Shape& shape) {
    return NEED(context.mesh(shape.positions, shape.triangles, "shape", PRX_MESH_DEFORMING));
}

void cubes_share_a_block(const proxel::Context& context) {
    proxel::Mesh a = make(context, cube()), b = make(context, cube());
    const PrxPose there = at(0.75f, 0.5f, -0.25f);
    const double truth = 0.25 * 0.5 * 0.75;
    for (PrxRays rays : {PRX_RAYS_BEST, PRX_RAYS_X, PRX_RAYS_Y, PRX_RAYS_Z, PRX_RAYS_ALL}) {
        PrxLdiDef def = prx_ldi_def_default();
        def.rays = rays;
        const PrxIntersectionVolume v = NEED(context.intersection_volume(a, {b, there}, def));
        CHECK_NEAR(v.volume, truth, 1e-4 * truth);
        CHECK((v.lower <= truth && truth <= v.upper && v.lower <= v.volume && v.volume <= v.upper));
        const double centre[3] = {0.875, 0.75, 0.375};
        // `a` loses its right and its back and its lower side to `b`.
        const double gradient[3] = {0.5 * 0.75, 0.25 * 0.75, -0.25 * 0.5};
        for (int axis = 0; axis < 3; ++axis) {
            CHECK_NEAR(v.centroid[axis], centre[axis], 1e-4);
            CHECK_NEAR(v.gradient_a[axis], gradient[axis], 1e-3);
            CHECK_EQ(v.gradient_b[axis], -v.gradient_a[axis]);
        }
        CHECK_EQ(v.flawed_a + v.flawed_b, 0u);
        CHECK_EQ(v.layers_a, 2u);
    }
    // It follows a mesh that deforms, and knows when nothing is shared.
    proxel::Batch batch = NEED(context.batch());
    const auto ticket = NEED(batch.intersection_volume(a, {b, there}));
    NEED(batch.submit());
    NEED(batch.wait());
    CHECK_NEAR(NEED(batch.read(ticket)).volume, truth, 1e-4 * truth);
    NEED(b.update(cube(0.25f, 5.0f).positions));
    NEED(batch.submit());
    NEED(batch.wait());
    const PrxIntersectionVolume none = NEED(batch.read(ticket));
    CHECK((none.volume == 0 && none.upper == 0 && none.rays == 0));
}

// Of two unit cubes that share a block.
void boundaries_and_gradients_of_a_block(const proxel::Intersection& shared, const PrxExactIntersection& block) {
    CHECK_EQ(NEED(shared.summary()).volume, block.volume);
    const auto curves = NEED(shared.curves());
    const auto points = NEED(shared.curve_points());
    REQUIRE(curves.size() == 1);
    CHECK((curves[0].closed == 1 && curves[0].first == 0 && curves[0].points == points.size() && curves[0].region == 0));
    double length = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double *p = points[i].position, *q = points[(i + 1) % points.size()].position;
        length += std::hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]);
    }
    CHECK_NEAR(length, block.curve_length, 1e-13);
    // All vertices of a mesh moved alike are the mesh moved.
    double sums[2][3]{};
    for (const PrxVertexGradient& of : NEED(shared.gradients())) {
        CHECK((of.error > 0 && of.error < 1e-11));
        for (int axis = 0; axis < 3; ++axis) sums[of.mesh][axis] += of.gradient[axis];
    }
    for (int axis = 0; axis < 3; ++axis) {
        CHECK_NEAR(sums[0][axis], block.area_vector_a[axis], 1e-13);
        CHECK_NEAR(sums[1][axis], block.area_vector_b[axis], 1e-13);
    }
    const double volumes[3] = {block.volume, 2 - block.volume, 1 - block.volume};
    for (PrxBooleanOperation operation : {PRX_BOOLEAN_OPERATION_INTERSECTION, PRX_BOOLEAN_OPERATION_UNION, PRX_BOOLEAN_OPERATION_DIFFERENCE}) {
        const auto vertices = NEED(shared.boundary_vertices(operation));
        double volume = 0;
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
        for (const PrxBoundaryTriangle& triangle : NEED(shared.boundary_triangles(operation))) {
            const double *p = vertices[triangle.vertices[0]].position, *q = vertices[triangle.vertices[1]].position,
                         *r = vertices[triangle.vertices[2]].position;
            volume += (p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) + p[2] * (q[0] * r[1] - q[1] * r[0])) / 6;
            for (int k = 0; k < 3; ++k) {
                const std::uint32_t from = triangle.vertices[k], to = triangle.vertices[(k + 1) % 3];
                edges[{std::min(from, to), std::max(from, to)}] += from < to ? 1 : -1;
            }
            CHECK((triangle.mesh < 2 && triangle.triangle < 12));
            CHECK_EQ(triangle.region, operation == PRX_BOOLEAN_OPERATION_INTERSECTION ? 0u : UINT32_MAX);
        }
        CHECK_NEAR(volume, volumes[operation], 1e-13);
        for (const auto& edge : edges) CHECK_EQ(edge.second, 0);
    }
}

// How far a vector is from a known one.
double off(const double (&found)[3], const double (&known)[3]) {
    return std::hypot(found[0] - known[0], found[1] - known[1], found[2] - known[2]);
}

// The same block to the last digit, at places where faces, edges and corners of the cubes coincide too.
// The part is a patch, and the contacts kept stand for its volume.
void contacts_of_a_block(const proxel::Context& context, const proxel::Intersection& shared, const PrxExactIntersection& block) {
    const auto patches = NEED(shared.patches());
    auto contacts = NEED(shared.contacts());
    REQUIRE(patches.size() == 1);
    REQUIRE(contacts.size() == 4);
    const double area = std::hypot(block.area_vector_a[0], block.area_vector_a[1], block.area_vector_a[2]);
    CHECK_NEAR(patches[0].area, area, 1e-6);
    double volume = 0, areas = 0;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        for (int k = 0; k < 3; ++k) CHECK_NEAR(contacts[i].normal[k], block.area_vector_a[k] / area, 1e-6);
        volume -= contacts[i].area * contacts[i].separation;
        areas += contacts[i].area;
        contacts[i].user = 70 + i;
    }
    CHECK_NEAR(areas, area, 1e-6);
    CHECK(volume > 0);
    const auto again = NEED(shared.contacts(prx_region_contacts_def_default(), contacts));
    REQUIRE(again.size() == contacts.size());
    for (std::size_t i = 0; i < again.size(); ++i) CHECK_EQ(again[i].user, 70u + i);
    PrxRegionContactsDef def = prx_region_contacts_def_default();
    def.points = 33;
    CHECK_EQ(shared.contacts(def).status(), PRX_STATUS_INVALID_ARGUMENT);
    CHECK(contains(prx_last_error(context.handle()), "points is 33"));
    def.size = 3;
    CHECK_EQ(shared.patches(def).status(), PRX_STATUS_STRUCT_SIZE);
}

void cubes_share_a_block_exactly(const proxel::Context& context) {
    proxel::Mesh a = make(context, cube()), b = make(context, cube());
    for (const PrxPose& there : {at(0.75f, 0.5f, -0.25f), at(0.5f, 0, 0), at(0, 0, 0), at(1, 0, 0), at(0.25f, 1, 0.5f), at(3, 0, 0)}) {
        const double offset[3] = {there.position[0], there.position[1], there.position[2]};
        double sides[3], truth = 1;
        for (int axis = 0; axis < 3; ++axis) {
            sides[axis] = std::max(0.0, 1 - std::abs(offset[axis]));
            truth *= sides[axis];
        }
        const PrxExactIntersection found = NEED(context.exact_intersection(a, {b, there}));
        CHECK((found.lower <= truth && truth <= found.upper && found.upper - found.lower < 1e-11));
        CHECK_NEAR(found.volume, truth, 1e-13);
        CHECK_EQ(found.disagreeing_a + found.disagreeing_b, 0u);
        if (truth > 0) {
            const double centre[3] = {0.5 + 0.5 * offset[0], 0.5 + 0.5 * offset[1], 0.5 + 0.5 * offset[2]};
            CHECK((off(found.centroid, centre) <= found.centroid_error && found.centroid_error < 1e-10));
            CHECK(found.second_moments_error < 1e-10);
            for (int axis = 0; axis < 3; ++axis)
                CHECK(std::abs(found.second_moments[axis] - truth * sides[axis] * sides[axis] / 12) <= found.second_moments_error);
        } else {
            CHECK((std::isinf(found.centroid_error) && std::isinf(found.second_moments_error)));
        }
        for (int axis = 0; axis < 3; ++axis) {
            CHECK_NEAR(found.area_vector_a[axis], -found.area_vector_b[axis], 1e-13);
            if (truth > 0) {
                CHECK_NEAR(found.centroid[axis], 0.5 + 0.5 * offset[axis], 1e-13);
                CHECK_NEAR(found.second_moments[axis], truth * sides[axis] * sides[axis] / 12, 1e-13);
                CHECK_NEAR(found.second_moments[3 + axis], 0, 1e-13);
            }
        }
    }
    // Both parts together are the surface of the block.
    const PrxExactIntersection block = NEED(context.exact_intersection(a, {b, at(0.75f, 0.5f, -0.25f)}));
    const double x = 0.25, y = 0.5, z = 0.75;
    CHECK_NEAR(block.area_a + block.area_b, 2 * (x * y + y * z + z * x), 1e-13);
    const double gradient[3] = {y * z, x * z, -x * y};
    for (int axis = 0; axis < 3; ++axis) CHECK_NEAR(block.area_vector_a[axis], gradient[axis], 1e-13);
    // The curve: where three faces of one cube meet three of the other, six edges of the block.
    CHECK_NEAR(block.curve_length, 2 * (x + y + z), 1e-13);
    // Exact values are within their errors, which are narrow.
    const double opposite[3] = {-gradient[0], -gradient[1], -gradient[2]};
    CHECK((off(block.area_vector_a, gradient) <= block.area_vector_a_error && block.area_vector_a_error < 1e-11));
    CHECK((off(block.area_vector_b, opposite) <= block.area_vector_b_error && block.area_vector_b_error < 1e-11));
    CHECK(std::abs(block.area_a + block.area_b - 2 * (x * y + y * z + z * x)) <= block.area_a_error + block.area_b_error);
    CHECK(std::abs(block.curve_length - 2 * (x + y + z)) <= block.curve_length_error);
    CHECK((block.area_a_error < 1e-11 && block.area_b_error < 1e-11 && block.curve_length_error < 1e-11));
    CHECK((block.torque_a_error > 0 && block.torque_a_error < 1e-11 && block.torque_b_error > 0 && block.torque_b_error < 1e-11));
    // One region, and two where a bar goes through both walls of a frame.
    const proxel::Intersection shared = NEED(context.intersection(a, {b, at(0.75f, 0.5f, -0.25f)}));
    const auto one = NEED(shared.regions());
    REQUIRE(one.size() == 1);
    CHECK_NEAR(one[0].volume, block.volume, 1e-13);
    CHECK_EQ(one[0].min[0], 0.75);
    CHECK_EQ(one[0].max[2], 0.75);
    proxel::Mesh pair = make(context, together(cube(), cube(), {3, 0, 0}));
    Shape bar = cube();
    for (Vec3& p : bar.positions) p = {p.x * 4 - 0.5f, p.y * 0.5f + 0.25f, p.z * 0.5f + 0.25f};
    proxel::Mesh through = make(context, bar);
    const auto two = NEED(NEED(context.intersection(pair, through)).regions());
    REQUIRE(two.size() == 2);
    CHECK_NEAR(two[0].volume, 0.25, 1e-13);
    CHECK_NEAR(two[1].volume, 0.125, 1e-13);
    boundaries_and_gradients_of_a_block(shared, block);
    contacts_of_a_block(context, shared, block);
    // An estimate by rays holds it between its bounds.
    const PrxIntersectionVolume rays = NEED(context.intersection_volume(a, {b, at(0.75f, 0.5f, -0.25f)}));
    CHECK((rays.lower <= block.volume && block.volume <= rays.upper));
    CHECK_NEAR(block.torque_a[0], rays.torque_a[0], 1e-3);
    // A cube without a face is found out.
    Shape open = cube();
    open.triangles.resize(open.triangles.size() - 2);
    proxel::Mesh broken = make(context, open);
    for (float shift : {0.3f, -0.3f}) {
        for (int axis = 0; axis < 3; ++axis) {
            const PrxPose there = at(axis == 0 ? shift : 0.01f, axis == 1 ? shift : 0.02f, axis == 2 ? shift : 0.03f);
            const PrxExactIntersection wrong = NEED(context.exact_intersection(broken, {b, there}));
            CHECK_EQ(wrong.unbalanced_edges_a, 4u);
            CHECK_EQ(wrong.unbalanced_edges_b, 0u);
        }
    }
}

void points_are_inside_or_not(const proxel::Context& context) {
    proxel::Mesh mesh = make(context, torus(64, 32));
    std::vector<Vec3> points;
    std::mt19937 random(7);
    std::uniform_real_distribution<float> anywhere(-1.5f, 1.5f);
    for (int i = 0; i < 5000; ++i) points.push_back({anywhere(random), anywhere(random), anywhere(random) / 3});
    PrxLdiDef def = prx_ldi_def_default();
    def.flags = PRX_LDI_EXACT;
    const proxel::Containment exact = NEED(context.contains(mesh, points, def));
    const proxel::Containment quick = NEED(context.contains(mesh, points));
    int wrong = 0, unsure = 0, differ = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double out = std::hypot(points[i].x, points[i].y) - 1;
        const double distance = std::hypot(out, points[i].z) - 0.3;
        // Facets lie within the ideal torus by up to 1.3 (1 - cos(pi / 64)) + 0.3 (1 - cos(pi / 32)) = 0.00301.
        const bool inside = (exact.points[i] & PRX_CONTAINMENT_INSIDE) != 0;
        wrong += std::fabs(distance) > 0.00302 && inside != (distance < 0);
        unsure += (exact.points[i] & PRX_CONTAINMENT_NEAR) != 0;
        differ += (quick.points[i] & PRX_CONTAINMENT_NEAR) == 0 && quick.points[i] != exact.points[i];
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(unsure, 0);
    CHECK_EQ(differ, 0);
    proxel::Batch batch = NEED(context.batch());
    const auto ticket = NEED(batch.contains(mesh, points));
    NEED(batch.submit());
    NEED(batch.wait());
    CHECK(NEED(batch.read(ticket)).points == quick.points);
    CHECK_EQ(batch.contains(mesh, points, def).status(), PRX_STATUS_INVALID_ARGUMENT);
}

void layers_and_folds(const proxel::Context& context) {
    proxel::Mesh box = make(context, cube());
    proxel::Mesh both = make(context, together(cube(), cube(), {0.5f, 0.25f, 0.25f}));
    PrxLdiDef def = prx_ldi_def_default();
    def.resolution = 16;
    proxel::Batch batch = NEED(context.batch());
    const auto spans = NEED(batch.layers(box, 1000, def));
    const auto few = NEED(batch.layers(box, 7, def));
    const auto none = NEED(batch.self_overlaps(box, 1000, def));
    const auto folds = NEED(batch.self_overlaps(both, 1000, def));
    NEED(batch.submit());
    NEED(batch.wait());
    const proxel::Layers image = NEED(batch.read(spans));
    CHECK_EQ(image.layers.size(), 16u * 16u);
    CHECK_EQ(image.info.columns, 18u);
    for (const PrxLayer& layer : image.layers) {
        const std::uint32_t axis = image.info.axis;
        CHECK_NEAR(layer.ends[0][axis], 0, 1e-6);
        CHECK_NEAR(layer.ends[1][axis], 1, 1e-6);
        CHECK((layer.triangle_start < 12 && layer.triangle_end < 12));
    }
    std::uint64_t needed = 0;
    PrxLayer room[7];
    CHECK_EQ(prx_batch_layers_result(batch.handle(), few.handle, nullptr, room, 7, &needed), PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK_EQ(needed, 256u);
    CHECK(NEED(batch.read(none)).layers.empty());
    const proxel::Layers overlap = NEED(batch.read(folds));
    double volume = 0;
    for (const PrxLayer& layer : overlap.layers) {
        CHECK_EQ(layer.winding, 2);
        const std::uint32_t axis = overlap.info.axis;
        volume += (layer.ends[1][axis] - layer.ends[0][axis]) * overlap.info.column_spacing * overlap.info.row_spacing;
    }
    CHECK_NEAR(volume, 0.5 * 0.75 * 0.75, 0.1);
}

/// What two boxes share, as stretches with the faces that bound them, and how their ends get out of the other box.
void shared_layers_and_exits(const proxel::Context& context) {
    proxel::Mesh low = make(context, cube()), high = make(context, cube());
    const PrxPose lifted = at(0.25f, 0, 0.75f);
    PrxLdiDef def = prx_ldi_def_default();
    def.resolution = 8;
    def.rays = PRX_RAYS_Z;
    proxel::Batch batch = NEED(context.batch());
    const auto ticket = NEED(batch.intersection_layers(low, {high, lifted}, 1000, def));
    const auto small = NEED(batch.intersection_layers(low, {high, lifted}, 7, def));
    NEED(batch.submit());
    NEED(batch.wait());
    const proxel::Layers shared = NEED(batch.read(ticket));
    CHECK_EQ(shared.layers.size(), 64u);
    double volume = 0;
    std::vector<float> ends;
    for (const PrxLayer& layer : shared.layers) {
        CHECK_NEAR(layer.ends[0][2], 0.75, 1e-5);
        CHECK_NEAR(layer.ends[1][2], 1, 1e-5);
        // It starts at the second box's bottom and ends at the first one's top.
        CHECK_EQ(layer.meshes, 1u);
        CHECK_EQ(layer.winding, 1);
        volume += (layer.ends[1][2] - layer.ends[0][2]) * shared.info.column_spacing * shared.info.row_spacing;
        ends.insert(ends.end(), layer.ends[0], layer.ends[0] + 3);
    }
    CHECK_NEAR(volume, 0.25 * 0.75, 1e-4);
    std::uint64_t needed = 0;
    PrxLayer room[7];
    CHECK_EQ(prx_batch_layers_result(batch.handle(), small.handle, nullptr, room, 7, &needed), PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK_EQ(needed, 64u);

    // From the second box's bottom out of the first box: up, unless a side is nearer.
    const proxel::Positions bottoms(ends.data(), static_cast<std::uint32_t>(ends.size() / 3));
    const std::vector<PrxExit> exits = NEED(context.exits(low, bottoms));
    CHECK_EQ(exits.size(), 64u);
    for (std::size_t i = 0; i < exits.size(); ++i) {
        double nearest = 1;
        for (std::size_t k = 0; k < 3; ++k) {
            const double at = ends[3 * i + k];
            nearest = std::min(nearest, std::min(at, 1 - at));
        }
        CHECK_EQ(exits[i].inside, 1u);
        CHECK(std::abs(exits[i].depth - nearest) <= exits[i].error + 1e-15);
        CHECK(exits[i].triangle < 12);
        for (std::size_t k = 0; k < 3; ++k)
            CHECK_NEAR(exits[i].place[k] - ends[3 * i + k], exits[i].depth * exits[i].direction[k], 1e-12);
    }
    // In a batch the same bits; a point outside has nothing; a point that is no number is refused.
    NEED(batch.reset());
    const auto later = NEED(batch.exits(low, bottoms));
    NEED(batch.submit());
    NEED(batch.wait());
    const std::vector<PrxExit> again = NEED(batch.read(later));
    CHECK_EQ(again.size(), exits.size());
    CHECK_EQ(std::memcmp(again.data(), exits.data(), exits.size() * sizeof(PrxExit)), 0);
    const float outside[] = {2, 0.5f, 0.5f};
    const std::vector<PrxExit> none = NEED(context.exits(low, {outside, 1}));
    CHECK_EQ(none[0].inside, 0u);
    CHECK_EQ(none[0].triangle, PRX_NO_INDEX);
    CHECK_EQ(none[0].depth, 0.0);
    const float wrong[] = {0, NAN, 0};
    CHECK_EQ(context.exits(low, {wrong, 1}).status(), PRX_STATUS_INVALID_ARGUMENT);
}

/// A rigid mesh keeps its image, and answers by it wherever it is.
void rigid_meshes_keep_images(const proxel::Context& context) {
    const auto shape = cube();
    proxel::Mesh rigid = NEED(context.mesh(shape.positions, shape.triangles, "rigid")), soft = make(context, shape);
    PrxLdiDef def = prx_ldi_def_default();
    def.flags = PRX_LDI_KEPT;
    for (const float x : {0.0f, 5.0f, -70.0f}) {
        const float points[] = {x + 0.5f, 0.5f, 0.5f, x + 1.5f, 0.5f, 0.5f, x + 0.5f, 0.5f, -0.5f};
        const proxel::Containment found = NEED(context.contains({rigid, at(x, 0, 0)}, points, def));
        CHECK_EQ(found.points[0], PRX_CONTAINMENT_INSIDE);
        CHECK_EQ(found.points[1] + found.points[2], 0u);
        CHECK_EQ(context.contains({soft, at(x, 0, 0)}, points, def).status(), PRX_STATUS_INVALID_ARGUMENT);
    }
    def.rays = PRX_RAYS_ALL;
    const float point[] = {0, 0, 0};
    CHECK_EQ(context.contains(rigid, point, def).status(), PRX_STATUS_INVALID_ARGUMENT);
}

void refusals(const proxel::Context& context) {
    proxel::Mesh box = make(context, cube());
    PrxContext* raw = context.handle();
    PrxIntersectionVolume volume;
    std::memset(&volume, 0x5a, sizeof volume);
    const PrxIntersectionVolume before = volume;
    const auto ask = [&](const PrxLdiDef& def) {
        return prx_mesh_intersection_volume(raw, box.handle(), nullptr, box.handle(), nullptr, &def, &volume, nullptr);
    };
    const auto refused = [&](const PrxLdiDef& def, const char* part) {
        CHECK_EQ(ask(def), PRX_STATUS_INVALID_ARGUMENT);
        CHECK(contains(prx_last_error(raw), part));
    };
    PrxLdiDef def = prx_ldi_def_default();
    def.rays = static_cast<PrxRays>(9);
    refused(def, "rays is 9");
    def = prx_ldi_def_default();
    def.generator = static_cast<PrxGenerator>(3);
    refused(def, "generator is 3");
    def = prx_ldi_def_default();
    def.flags = 64;
    refused(def, "0x40");
    def = prx_ldi_def_default();
    def.resolution = 100000;
    refused(def, "100000");
    def.resolution = 0;
    refused(def, "cell size");
    def = prx_ldi_def_default();
    def.size = 4;
    CHECK_EQ(ask(def), PRX_STATUS_STRUCT_SIZE);
    def = prx_ldi_def_default();
    def.memory = 100;
    std::uint64_t memory = 0;
    CHECK_EQ(prx_mesh_intersection_volume(raw, box.handle(), nullptr, box.handle(), nullptr, &def, &volume, &memory),
             PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK(memory > 100);
    CHECK(std::memcmp(&volume, &before, sizeof volume) == 0);
    CHECK_EQ(prx_mesh_intersection_volume(raw, box.handle(), nullptr, box.handle(), nullptr, nullptr, nullptr, nullptr),
             PRX_STATUS_INVALID_ARGUMENT);
    CHECK_EQ(prx_mesh_intersection_volume(nullptr, box.handle(), nullptr, box.handle(), nullptr, nullptr, &volume, nullptr),
             PRX_STATUS_INVALID_HANDLE);
    CHECK_EQ(prx_mesh_contains(raw, box.handle(), nullptr, nullptr, 1, 12, nullptr, nullptr), PRX_STATUS_INVALID_ARGUMENT);
    CHECK_EQ(prx_batch_self_overlaps(nullptr, box.handle(), nullptr, nullptr, 1, nullptr), PRX_STATUS_INVALID_HANDLE);
}

void every_vertex_has_its_part(const proxel::Context& context) {
    // Half a cube apart along x: of each, one face along x is inside the other, and the faces along y and z coincide.
    proxel::Mesh a = make(context, cube()), b = make(context, cube());
    const Shape shape = cube();
    proxel::Batch batch = NEED(context.batch());
    PrxLdiDef def = prx_ldi_def_default();
    def.resolution = 256;
    const auto ticket = NEED(batch.intersection_gradients(a, {b, at(0.5f, 0, 0)}, def));
    NEED(batch.submit());
    NEED(batch.wait());
    const proxel::IntersectionGradients found = NEED(batch.read(ticket));
    CHECK_EQ(found.a.size(), 3 * shape.positions.size());
    double of_a = 0, of_b = 0;
    for (std::size_t i = 0; i < found.a.size(); i += 3) of_a += found.a[i];
    for (std::size_t i = 0; i < found.b.size(); i += 3) of_b += found.b[i];
    CHECK_NEAR(of_a, 1.0, 0.02);
    CHECK_NEAR(of_b, -1.0, 0.02);
    std::vector<float> single(found.a.size());
    const PrxPose there = at(0.5f, 0, 0);
    CHECK_EQ(prx_mesh_intersection_gradients(context.handle(), a.handle(), nullptr, b.handle(), &there, &def, single.data(), nullptr), PRX_STATUS_OK);
    CHECK(single == found.a);
    std::uint64_t count = 0;
    CHECK_EQ(prx_batch_intersection_gradients_result(nullptr, {0}, 0, nullptr, 0, &count), PRX_STATUS_INVALID_HANDLE);
}

}  // namespace

TEST_CASE("volume") {
    Witness witness;
    {
        proxel::Context context = NEED(proxel::Context::open(witness.def()));
        cubes_share_a_block(context);
        cubes_share_a_block_exactly(context);
        every_vertex_has_its_part(context);
        points_are_inside_or_not(context);
        layers_and_folds(context);
        shared_layers_and_exits(context);
        rigid_meshes_keep_images(context);
        refusals(context);
    }
}
