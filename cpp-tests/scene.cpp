// Scenes through the package: objects that come, move and go; the pairs of them, and of their triangles.
#include "engine.hpp"
#include "shapes.hpp"

using namespace test;

namespace {

bool same(PrxObject a, PrxObject b) { return a.id == b.id; }

/// A row of unit cubes whose sides touch: each meets the next and no other.
void a_row_of_cubes(const proxel::Context& context) {
    proxel::Mesh mesh = NEED(context.mesh(cube().positions, cube().triangles));
    proxel::Scene scene = NEED(context.scene());
    std::vector<PrxObject> row;
    for (int i = 0; i < 5; ++i) row.push_back(NEED(scene.add({mesh, at(static_cast<float>(i), 0, 0)})));
    std::vector<PrxObjectPair> pairs = NEED(scene.object_pairs());
    CHECK_EQ(pairs.size(), 4u);
    for (std::size_t i = 0; i < pairs.size(); ++i) CHECK((same(pairs[i].first, row[i]) && same(pairs[i].second, row[i + 1])));
    // A cube of side 1 is 1 away from the next but one.
    CHECK_EQ(NEED(scene.object_pairs(0.9)).size(), 4u);
    CHECK_EQ(NEED(scene.object_pairs(1.1)).size(), 4u + 3u);

    // What a pair of objects gives is what the pair of meshes gives.
    std::vector<PrxScenePair> triangles = NEED(scene.pairs());
    const auto alone = NEED(context.pairs({mesh, at(0, 0, 0)}, {mesh, at(1, 0, 0)}));
    CHECK_EQ(triangles.size(), 4 * alone.size());
    for (std::size_t i = 0; i < alone.size() && i < triangles.size(); ++i) {
        CHECK((same(triangles[i].object_a, row[0]) && same(triangles[i].object_b, row[1])));
        CHECK((triangles[i].triangle_a == alone[i].triangle_a && triangles[i].triangle_b == alone[i].triangle_b));
        CHECK_EQ(triangles[i].distance, 0.0);
    }

    // The middle one steps aside, then goes.
    NEED(scene.move(row[2], at(2, 5, 0)));
    CHECK_EQ(NEED(scene.object_pairs()).size(), 2u);
    CHECK_EQ(NEED(scene.pairs()).size(), 2 * alone.size());
    NEED(scene.move(row, {at(0, 0, 0), at(0, 0, 0), at(0, 0, 0), at(9, 0, 0), at(-9, 0, 0)}));
    CHECK_EQ(NEED(scene.object_pairs()).size(), 3u);
    NEED(scene.remove(row[2]));
    CHECK_EQ(NEED(scene.object_pairs()).size(), 1u);
    CHECK_REFUSED(scene.remove(row[2]), PRX_STATUS_INVALID_HANDLE, "destroyed");
    CHECK_REFUSED(scene.move(row[2], at(0, 0, 0)), PRX_STATUS_INVALID_HANDLE, "object");
    CHECK_REFUSED(scene.move(row, {at(0, 0, 0)}), PRX_STATUS_INVALID_ARGUMENT, "one pose per object");
    PrxObject again = NEED(scene.add({mesh, at(9, 0, 0)}));
    CHECK(!same(again, row[2]));
    CHECK_EQ(NEED(scene.object_pairs()).size(), 2u);
}

void refused_moves_move_nothing(const proxel::Context& context) {
    proxel::Mesh mesh = NEED(context.mesh(cube().positions, cube().triangles));
    proxel::Scene scene = NEED(context.scene()), other = NEED(context.scene());
    PrxObject a = NEED(scene.add(mesh)), b = NEED(scene.add({mesh, at(5, 0, 0)})), foreign = NEED(other.add(mesh));
    PrxPose bent = at(0, 0, 0);
    bent.rotation[3] = 3;
    CHECK_REFUSED(scene.move({b, a}, {at(0, 0, 0), bent}), PRX_STATUS_INVALID_ARGUMENT, "quaternion");
    CHECK_REFUSED(scene.move({b, foreign}, {at(0, 0, 0), at(0, 0, 0)}), PRX_STATUS_INVALID_HANDLE, "another scene");
    CHECK(NEED(scene.object_pairs()).empty());
    CHECK_REFUSED(scene.object_pairs(-1), PRX_STATUS_INVALID_ARGUMENT, "-1");
    CHECK_REFUSED(scene.add(proxel::Mesh()), PRX_STATUS_INVALID_HANDLE, "null");

    std::uint64_t count = 0;
    NEED(scene.move(b, at(0.5f, 0, 0)));
    PrxObjectPair pair{};
    CHECK_EQ(prx_scene_object_pairs(context.handle(), scene.handle(), 0, nullptr, 0, &count), PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK_EQ(count, 1u);
    CHECK_EQ(prx_scene_object_pairs(context.handle(), scene.handle(), 0, &pair, 1, &count), PRX_STATUS_OK);
    CHECK((same(pair.first, a) && same(pair.second, b)));
    CHECK_EQ(prx_scene_pairs(context.handle(), scene.handle(), 0, nullptr, 0, &count), PRX_STATUS_BUFFER_TOO_SMALL);
    std::vector<PrxScenePair> found(static_cast<std::size_t>(count));
    CHECK_EQ(prx_scene_pairs(context.handle(), scene.handle(), 0, found.data(), count, &count), PRX_STATUS_OK);
    CHECK_EQ(count, found.size());
    PrxScene gone = scene.handle();
    { proxel::Scene moved = std::move(scene); }
    CHECK_EQ(prx_scene_object_pairs(context.handle(), gone, 0, &pair, 1, &count), PRX_STATUS_INVALID_HANDLE);
}

/// Objects see updates of their mesh, and keep a mesh whose name was given up.
void meshes_change_and_lose_their_names(const proxel::Context& context) {
    proxel::Scene scene = NEED(context.scene());
    {
        proxel::Mesh mesh = NEED(context.mesh(cube().positions, cube().triangles, "soft", PRX_MESH_DEFORMING));
        NEED(scene.add(mesh));
        NEED(scene.add({mesh, at(3, 0, 0)}));
        CHECK(NEED(scene.object_pairs()).empty());
        NEED(mesh.update(cube(4.0f).positions));
        CHECK_EQ(NEED(scene.object_pairs()).size(), 1u);
        CHECK(!NEED(scene.pairs()).empty());
    }
    CHECK_EQ(NEED(scene.object_pairs()).size(), 1u);
}

}  // namespace

TEST_CASE("scene") {
    Witness witness;
    {
        PrxContextDef def = witness.def();
        proxel::Context context = NEED(proxel::Context::open(def));
        a_row_of_cubes(context);
        refused_moves_move_nothing(context);
        meshes_change_and_lose_their_names(context);
    }
}
