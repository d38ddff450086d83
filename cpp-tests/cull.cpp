// Culled queries through the package: the same answer by every method, and what each left to compare.
#include "engine.hpp"
#include "shapes.hpp"

using namespace test;

namespace {

/// Every way that must give the true answer.
std::vector<PrxCullDef> ways() {
    std::vector<PrxCullDef> all;
    for (PrxCullMethod method : {PRX_CULL_METHOD_AUTO, PRX_CULL_METHOD_HIERARCHY, PRX_CULL_METHOD_NONE}) {
        all.push_back(prx_cull_def_default());
        all.back().method = method;
    }
    for (PrxCullPath path : {PRX_CULL_PATH_BOXES, PRX_CULL_PATH_CONSERVATIVE, PRX_CULL_PATH_EXACT_OFFSET, PRX_CULL_PATH_BOUNDED_OFFSET}) {
        for (std::uint32_t side : {16u, 33u, 200u}) {
            for (std::uint32_t views : {PRX_VIEW_Y, PRX_VIEW_X | PRX_VIEW_Z, PRX_VIEW_X | PRX_VIEW_Y | PRX_VIEW_Z}) {
                PrxCullDef def = prx_cull_def_default();
                def.method = PRX_CULL_METHOD_VISIBILITY;
                def.path = path;
                def.width = side;
                def.height = side + 5;
                def.views = views;
                def.depth_format = side == 33 ? PRX_DEPTH_FORMAT_D16 : PRX_DEPTH_FORMAT_F32;
                all.push_back(def);
            }
        }
    }
    return all;
}

void two_cubes(const proxel::Context& context) {
    proxel::Mesh mesh = NEED(context.mesh(cube().positions, cube().triangles));
    for (float x : {0.5f, 1.001f, 5.0f}) {
        for (double distance : {0.0, 0.002}) {
            const auto expected = NEED(context.pairs(mesh, {mesh, at(x, 0.25f, 0.125f)}, distance));
            // Faces at x = 1 and at x: near from their distance on.
            CHECK_EQ(expected.empty(), static_cast<double>(x) - 1.0 > distance);
            for (const PrxCullDef& def : ways()) {
                PrxCullStats stats{};
                const auto found = NEED(context.pairs(mesh, {mesh, at(x, 0.25f, 0.125f)}, distance, def, &stats));
                CHECK_EQ(found.size(), expected.size());
                for (std::size_t i = 0; i < found.size() && i < expected.size(); ++i) {
                    CHECK_EQ(found[i].triangle_a, expected[i].triangle_a);
                    CHECK_EQ(found[i].triangle_b, expected[i].triangle_b);
                }
                CHECK(stats.candidates >= found.size());
                if (def.method == PRX_CULL_METHOD_NONE) CHECK_EQ(stats.candidates, 144u);
            }
        }
    }
}

/// Plates that stand askew, each just free of the next: their boxes overlap, and from the side one sees between them.
void plates_that_only_look_close(const proxel::Context& context) {
    const Shape plate{{{0, 0, 0}, {4, 0, 4}, {4, 1, 4}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
    proxel::Mesh mesh = NEED(context.mesh(plate.positions, plate.triangles));
    proxel::Scene scene = NEED(context.scene());
    std::vector<PrxObject> row;
    for (int i = 0; i < 6; ++i) row.push_back(NEED(scene.add({mesh, at(static_cast<float>(i), 0, 0)})));
    CHECK_EQ(NEED(scene.object_pairs()).size(), 5u + 4u + 3u + 2u);
    for (const PrxCullDef& def : ways()) {
        PrxCullStats stats{};
        CHECK(NEED(scene.colliding(0, def, &stats)).empty());
        // Along y the plates are lines with room between them, at 200 pixels also for fat ones.
        if (def.method == PRX_CULL_METHOD_VISIBILITY && def.width == 200 && (def.views & PRX_VIEW_X) == 0)
            CHECK_EQ(stats.object_pairs, 0u);
        // Planes x - z = i are 1 / sqrt(2) apart.
        CHECK_EQ(NEED(scene.colliding(0.8, def)).size(), 5u);
    }
    NEED(scene.move(row[5], at(3.5f, 0, 0)));
    for (const PrxCullDef& def : ways()) CHECK(NEED(scene.colliding(0, def)).empty());
    NEED(scene.move(row[5], at(3, 0.5f, 0)));
    for (const PrxCullDef& def : ways()) {
        const auto pairs = NEED(scene.colliding(0, def));
        CHECK_EQ(pairs.size(), 1u);
        if (!pairs.empty()) CHECK((pairs[0].first.id == row[3].id && pairs[0].second.id == row[5].id));
    }
}

/// An array that is too small stays as it was and learns the count; the second call fills it, in order.
void arrays_that_are_too_small(const proxel::Context& context) {
    proxel::Mesh mesh = NEED(context.mesh(cube().positions, cube().triangles));
    proxel::Scene scene = NEED(context.scene());
    // A row of cubes whose sides touch: each meets the next.
    std::vector<PrxObject> row;
    for (int i = 0; i < 6; ++i) row.push_back(NEED(scene.add({mesh, at(static_cast<float>(i), 0, 0)})));
    const PrxPose here = at(0, 0, 0), there = at(1, 0, 0);
    for (const PrxCullDef& def : ways()) {
        std::vector<PrxObjectPair> pairs(5);
        std::uint64_t count = 0;
        PrxCullStats stats{};
        CHECK_EQ(prx_scene_colliding(context.handle(), scene.handle(), 0, &def, pairs.data(), 4, &count, &stats),
                 PRX_STATUS_BUFFER_TOO_SMALL);
        CHECK_EQ(count, 5u);
        for (const PrxObjectPair& pair : pairs) CHECK((pair.first.id == 0 && pair.second.id == 0));
        CHECK_EQ(prx_scene_colliding(context.handle(), scene.handle(), 0, &def, pairs.data(), 5, &count, &stats), PRX_STATUS_OK);
        CHECK_EQ(count, 5u);
        for (std::size_t i = 0; i < pairs.size(); ++i)
            CHECK((pairs[i].first.id == row[i].id && pairs[i].second.id == row[i + 1].id));
        // Without culling all fifteen pairs of six are compared.
        const std::uint64_t compared = def.method == PRX_CULL_METHOD_NONE ? 15 : 5;
        CHECK_EQ(stats.box_pairs, compared);
        CHECK_EQ(stats.object_pairs, compared);

        // Ten triangles of each cube have a side, an edge or a corner in the square between them: 62 pairs of those share a point.
        std::vector<PrxPair> triangles(144);
        CHECK_EQ(prx_mesh_pairs_culled(context.handle(), mesh.handle(), &here, mesh.handle(), &there, 0, &def, triangles.data(), 1,
                                       &count, nullptr),
                 PRX_STATUS_BUFFER_TOO_SMALL);
        const std::uint64_t needed = count;
        CHECK_EQ(needed, 62u);
        CHECK_EQ(triangles[0].triangle_b, 0u);
        CHECK_EQ(prx_mesh_pairs_culled(context.handle(), mesh.handle(), &here, mesh.handle(), &there, 0, &def, triangles.data(),
                                       needed, &count, nullptr),
                 PRX_STATUS_OK);
        CHECK_EQ(count, needed);
        triangles.resize(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            CHECK_EQ(triangles[i].distance, 0.0);
            // They meet in the plane between the cubes.
            CHECK((triangles[i].segment[0][0] == 1.0f && triangles[i].segment[1][0] == 1.0f));
            if (i > 0)
                CHECK(std::make_pair(triangles[i - 1].triangle_a, triangles[i - 1].triangle_b) <
                      std::make_pair(triangles[i].triangle_a, triangles[i].triangle_b));
        }
    }
}

/// A cube beside another breaks in two under the same id, and the halves fly apart and touch nothing.
void a_cube_that_breaks(const proxel::Context& context) {
    const Shape whole = cube();
    Shape halves;
    for (const float shift : {-3.0f, 3.0f}) {
        const auto first = static_cast<std::uint32_t>(halves.positions.size());
        for (const Vec3& p : whole.positions) halves.positions.push_back({0.4f * p.x + shift, p.y, p.z});
        for (const Triangle& t : whole.triangles) halves.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
    proxel::Mesh breaking = NEED(context.mesh(whole.positions, whole.triangles));
    proxel::Mesh still = NEED(context.mesh(whole.positions, whole.triangles));
    proxel::Scene scene = NEED(context.scene());
    const PrxObject a = NEED(scene.add({breaking, at(0, 0, 0)})), b = NEED(scene.add({still, at(1, 0, 0)}));
    const PrxMeshDef broken = proxel::mesh_def(halves.positions, halves.triangles);
    const PrxMeshDef mended = proxel::mesh_def(whole.positions, whole.triangles);
    for (PrxCullDef def : ways()) {
        PrxCullStats stats{};
        // As of every two cubes in a row, above.
        CHECK_EQ(NEED(scene.pairs(0, def, &stats)).size(), 62u);
        CHECK_EQ(stats.object_pairs, 1u);
        def.first_only = 1;
        const auto one = NEED(scene.pairs(0, def));
        CHECK_EQ(one.size(), 1u);
        if (!one.empty()) CHECK((one[0].object_a.id == a.id && one[0].object_b.id == b.id && one[0].distance == 0.0));
        CHECK_EQ(NEED(scene.colliding(0, def)).size(), 1u);
        NEED(breaking.replace(broken));
        CHECK_EQ(NEED(breaking.facts()).triangle_count, 24u);
        CHECK(NEED(scene.pairs(0, def)).empty());
        def.first_only = 0;
        CHECK(NEED(scene.pairs(0, def)).empty());
        NEED(breaking.replace(mended));
        def.first_only = 2;
        CHECK_REFUSED(scene.pairs(0, def), PRX_STATUS_INVALID_ARGUMENT, "first_only is 2");
    }
    PrxMeshDef bad = broken;
    bad.vertex_count = 3;
    CHECK_REFUSED(breaking.replace(bad), PRX_STATUS_INVALID_ARGUMENT, "only 3 vertices");
    CHECK_EQ(NEED(scene.pairs()).size(), 62u);
}

void what_is_refused(const proxel::Context& context) {
    proxel::Mesh mesh = NEED(context.mesh(cube().positions, cube().triangles));
    const auto refused = [&](auto change, const char* words) {
        PrxCullDef def = prx_cull_def_default();
        def.method = PRX_CULL_METHOD_VISIBILITY;
        change(def);
        CHECK_REFUSED(context.pairs(mesh, mesh, 0, def), PRX_STATUS_INVALID_ARGUMENT, words);
    };
    refused([](PrxCullDef& d) { d.method = static_cast<PrxCullMethod>(9); }, "PrxCullMethod");
    refused([](PrxCullDef& d) { d.path = static_cast<PrxCullPath>(9); }, "PrxCullPath");
    refused([](PrxCullDef& d) { d.depth_format = static_cast<PrxDepthFormat>(9); }, "PrxDepthFormat");
    refused([](PrxCullDef& d) { d.views = 0; }, "views");
    refused([](PrxCullDef& d) { d.views = 8; }, "0x8");
    refused([](PrxCullDef& d) { d.width = 15; }, "15 x 256");
    refused([](PrxCullDef& d) { d.width = 1u << 30; }, "1073741824 x 256");
    refused([](PrxCullDef& d) { d.height = 4097; }, "256 x 4097");
    PrxCullDef def = prx_cull_def_default();
    def.size = 4;
    CHECK_REFUSED(context.pairs(mesh, mesh, 0, def), PRX_STATUS_STRUCT_SIZE, "PrxCullDef");
}

}  // namespace

TEST_CASE("cull") {
    Witness witness;
    {
        PrxContextDef def = witness.def();
        proxel::Context context = NEED(proxel::Context::open(def));
        two_cubes(context);
        plates_that_only_look_close(context);
        a_cube_that_breaks(context);
        arrays_that_are_too_small(context);
        what_is_refused(context);
    }
}
