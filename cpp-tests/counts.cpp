// Lists that do not fit: the count is right whatever the capacity, and nothing else is written.
#include <cstring>
#include <functional>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

/// Asks for a list with room for all, for all but one, for one, and for none.
template <typename Item>
void check_counts(const char* name, std::uint64_t least, const std::function<PrxStatus(Item*, std::uint64_t, std::uint64_t*)>& ask) {
    INFO(std::string(name));
    std::uint64_t all = 0;
    const PrxStatus first = ask(nullptr, 0, &all);
    CHECK(all >= least);
    CHECK_EQ(first, all > 0 ? PRX_STATUS_BUFFER_TOO_SMALL : PRX_STATUS_OK);
    std::vector<Item> items(all + 1);
    for (const std::uint64_t capacity : {all - 1, std::uint64_t(1), std::uint64_t(0)}) {
        if (capacity >= all) continue;
        std::memset(static_cast<void*>(items.data()), 0x5a, items.size() * sizeof(Item));
        std::uint64_t count = 0;
        CHECK_EQ(ask(items.data(), capacity, &count), PRX_STATUS_BUFFER_TOO_SMALL);
        CHECK_EQ(count, all);
        const auto* bytes = reinterpret_cast<const unsigned char*>(items.data());
        bool untouched = true;
        for (std::size_t i = 0; i < items.size() * sizeof(Item); ++i) untouched = untouched && bytes[i] == 0x5a;
        CHECK(untouched);
    }
    std::uint64_t count = 0;
    CHECK_EQ(ask(items.data(), all, &count), PRX_STATUS_OK);
    CHECK_EQ(count, all);
    CHECK_EQ(ask(items.data(), all + 1, &count), PRX_STATUS_OK);
    CHECK_EQ(count, all);
}

TEST_CASE("lists of exact queries, scenes, trackers and hierarchies") {
    Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    PrxContext* c = context.handle();
    const Shape shape = cube(), crossed = together(cube(), cube(), {0.5f, 0.25f, 0.125f});
    const proxel::Mesh first = NEED(context.mesh(shape.positions, shape.triangles, "cube", PRX_MESH_DEFORMING));
    const proxel::Mesh second = NEED(context.mesh(crossed.positions, crossed.triangles, "two cubes", PRX_MESH_DEFORMING));
    const PrxMesh a = first.handle(), b = second.handle();
    check_counts<PrxPair>("pairs", 12, [&](PrxPair* out, std::uint64_t room, std::uint64_t* count) {
        return prx_mesh_pairs(c, a, nullptr, b, nullptr, 0.0, out, room, count);
    });
    check_counts<PrxPair>("near pairs", 144, [&](PrxPair* out, std::uint64_t room, std::uint64_t* count) {
        return prx_mesh_pairs(c, a, nullptr, b, nullptr, 10.0, out, room, count);
    });
    PrxNearDef close = prx_near_def_default();
    close.thickness = 10.0;
    // 8 vertices and 24 faces, 16 vertices and 12 faces, 18 edges and 36 edges: all are within 10.
    check_counts<PrxNearPair>("near features", 8 * 24 + 16 * 12 + 18 * 36, [&](PrxNearPair* out, std::uint64_t room, std::uint64_t* count) {
        return prx_mesh_near(c, a, nullptr, b, nullptr, &close, out, room, count);
    });
    check_counts<double>("safe distances", 24, [&](double* out, std::uint64_t room, std::uint64_t* count) {
        return prx_mesh_safe_distances(c, a, nullptr, b, nullptr, &close, 0.0, out, room, count);
    });
    for (PrxCullMethod method : {PRX_CULL_METHOD_HIERARCHY, PRX_CULL_METHOD_VISIBILITY, PRX_CULL_METHOD_NONE}) {
        PrxCullDef def = prx_cull_def_default();
        def.method = method;
        if (method == PRX_CULL_METHOD_VISIBILITY && wanted_device() == "host") {
            std::uint64_t count = 0; // the host does not draw
            CHECK_EQ(prx_mesh_pairs_culled(c, a, nullptr, b, nullptr, 0.0, &def, nullptr, 0, &count, nullptr), PRX_STATUS_UNSUPPORTED);
            continue;
        }
        check_counts<PrxPair>("culled pairs", 12, [&](PrxPair* out, std::uint64_t room, std::uint64_t* count) {
            return prx_mesh_pairs_culled(c, a, nullptr, b, nullptr, 0.0, &def, out, room, count, nullptr);
        });
    }
    check_counts<PrxTrianglePair>("self", 8, [&](PrxTrianglePair* out, std::uint64_t room, std::uint64_t* count) {
        return prx_mesh_self_pairs(c, b, out, room, count);
    });
    // From above the cube to below it, not along its sides.
    Shape above = shape, below = shape;
    for (Vec3& p : above.positions) p = {p.x + 0.25f, p.y + 0.375f, p.z + 2.0f};
    for (Vec3& p : below.positions) p = {p.x + 0.25f, p.y + 0.375f, p.z - 5.0f};
    const proxel::Mesh fallen = NEED(context.mesh(below.positions, below.triangles, "fallen", PRX_MESH_DEFORMING));
    const proxel::Mesh high = NEED(context.mesh(above.positions, shape.triangles, "high", PRX_MESH_DEFORMING));
    check_counts<PrxFeatureImpact>("impacts", 1, [&](PrxFeatureImpact* out, std::uint64_t room, std::uint64_t* count) {
        return prx_mesh_impacts(c, high.handle(), fallen.handle(), a, a, nullptr, out, room, count);
    });
    const float corners[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1f, 0.1f, 0.1f};
    const std::uint32_t tetrahedra[8] = {0, 1, 2, 3, 0, 1, 2, 3};
    const PrxTetrahedralBody body{corners, tetrahedra, 5, 2};
    check_counts<PrxVertexInside>("tetrahedra", 2, [&](PrxVertexInside* out, std::uint64_t room, std::uint64_t* count) {
        return prx_tetrahedra_inside(c, &body, 1, out, room, count);
    });
    check_counts<PrxVertexDepth>("depths", 1, [&](PrxVertexDepth* out, std::uint64_t room, std::uint64_t* count) {
        return prx_tetrahedra_depths(c, &body, 1, out, room, count);
    });
    PrxScene scene;
    REQUIRE(prx_scene_create(c, &scene) == PRX_STATUS_OK);
    for (int k = 0; k < 4; ++k) {
        const PrxPose pose = at(0.75f * float(k), 0, 0);
        PrxObject object;
        REQUIRE(prx_scene_add(c, scene, a, &pose, &object) == PRX_STATUS_OK);
    }
    for (const double distance : {0.0, 0.6, 1e15}) {
        check_counts<PrxObjectPair>("objects", 3, [&](PrxObjectPair* out, std::uint64_t room, std::uint64_t* count) {
            return prx_scene_object_pairs(c, scene, distance, out, room, count);
        });
        check_counts<PrxScenePair>("scene pairs", 3, [&](PrxScenePair* out, std::uint64_t room, std::uint64_t* count) {
            return prx_scene_pairs(c, scene, distance, out, room, count);
        });
        check_counts<PrxObjectPair>("colliding", 3, [&](PrxObjectPair* out, std::uint64_t room, std::uint64_t* count) {
            return prx_scene_colliding(c, scene, distance, nullptr, out, room, count, nullptr);
        });
    }
    const PrxPose above_all = at(0.25f, 0.375f, 2);
    PrxObjectMove fall{{0}, {0}, at(0.25f, 0.375f, -5)};
    REQUIRE(prx_scene_add(c, scene, a, &above_all, &fall.object) == PRX_STATUS_OK);
    check_counts<PrxSceneImpact>("scene impacts", 2, [&](PrxSceneImpact* out, std::uint64_t room, std::uint64_t* count) {
        return prx_scene_impacts(c, scene, &fall, 1, nullptr, out, room, count);
    });
    CHECK_EQ(prx_scene_destroy(c, scene), PRX_STATUS_OK);
    PrxTracker tracker;
    REQUIRE(prx_tracker_create(c, a, b, nullptr, &tracker) == PRX_STATUS_OK);
    PrxTracked tracked;
    REQUIRE(prx_tracker_step(c, tracker, nullptr, nullptr, PrxBudget{1e9, 1000}, &tracked) == PRX_STATUS_OK);
    check_counts<PrxActivePair>("tracker", 1, [&](PrxActivePair* out, std::uint64_t room, std::uint64_t* count) {
        return prx_tracker_pairs(c, tracker, out, room, count);
    });
    CHECK_EQ(prx_tracker_destroy(c, tracker), PRX_STATUS_OK);
    PrxTrackerDef colliding = prx_tracker_def_default();
    colliding.colliding = 100;
    REQUIRE(prx_tracker_create(c, a, b, &colliding, &tracker) == PRX_STATUS_OK);
    REQUIRE(prx_tracker_step(c, tracker, nullptr, nullptr, PrxBudget{1e9, 1000}, &tracked) == PRX_STATUS_OK);
    check_counts<PrxActivePair>("tracker collisions", 1, [&](PrxActivePair* out, std::uint64_t room, std::uint64_t* count) {
        return prx_tracker_collisions(c, tracker, out, room, count);
    });
    CHECK_EQ(prx_tracker_destroy(c, tracker), PRX_STATUS_OK);
    const PrxPose across = at(0.3f, 0.35f, 0.4f);
    PrxIntersection shared;
    REQUIRE(prx_intersection_create(c, a, nullptr, a, &across, &shared) == PRX_STATUS_OK);
    check_counts<PrxIntersectionRegion>("regions", 1, [&](PrxIntersectionRegion* out, std::uint64_t room, std::uint64_t* count) {
        return prx_intersection_regions(c, shared, out, room, count);
    });
    check_counts<PrxIntersectionCurve>("curves", 1, [&](PrxIntersectionCurve* out, std::uint64_t room, std::uint64_t* count) {
        return prx_intersection_curves(c, shared, out, room, count);
    });
    check_counts<PrxCurvePoint>("curve points", 6, [&](PrxCurvePoint* out, std::uint64_t room, std::uint64_t* count) {
        return prx_intersection_curve_points(c, shared, out, room, count);
    });
    check_counts<PrxVertexGradient>("gradients", 8, [&](PrxVertexGradient* out, std::uint64_t room, std::uint64_t* count) {
        return prx_intersection_gradients(c, shared, out, room, count);
    });
    check_counts<PrxBoundaryVertex>("boundary vertices", 8, [&](PrxBoundaryVertex* out, std::uint64_t room, std::uint64_t* count) {
        return prx_intersection_boundary_vertices(c, shared, PRX_BOOLEAN_OPERATION_INTERSECTION, out, room, count);
    });
    check_counts<PrxBoundaryTriangle>("boundary triangles", 12, [&](PrxBoundaryTriangle* out, std::uint64_t room, std::uint64_t* count) {
        return prx_intersection_boundary_triangles(c, shared, PRX_BOOLEAN_OPERATION_INTERSECTION, out, room, count);
    });
    CHECK_EQ(prx_intersection_destroy(c, shared), PRX_STATUS_OK);
    PrxHierarchy trees[2];
    REQUIRE(prx_hierarchy_create(c, a, nullptr, &trees[0]) == PRX_STATUS_OK);
    REQUIRE(prx_hierarchy_create(c, b, nullptr, &trees[1]) == PRX_STATUS_OK);
    check_counts<PrxTrianglePair>("hierarchies", 12, [&](PrxTrianglePair* out, std::uint64_t room, std::uint64_t* count) {
        return prx_hierarchy_pairs(c, trees[0], nullptr, trees[1], nullptr, out, room, count);
    });
    for (PrxHierarchy tree : trees) CHECK_EQ(prx_hierarchy_destroy(c, tree), PRX_STATUS_OK);
}

}  // namespace
