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

/// A cube falls from 3 above another, which rests on a third, and the floor beneath is far away.
void a_falling_cube(const proxel::Context& context) {
    proxel::Mesh mesh = NEED(context.mesh(cube().positions, cube().triangles));
    Shape flat = cube();
    for (Vec3& p : flat.positions) p.z = 0.25f + 0.5f * p.z;
    proxel::Mesh squashed = NEED(context.mesh(flat.positions, flat.triangles));
    proxel::Scene scene = NEED(context.scene());
    const PrxObject low = NEED(scene.add({mesh, at(0, 0, 0)})), middle = NEED(scene.add({mesh, at(0.25f, 0.25f, 1)}));
    const PrxObject high = NEED(scene.add({mesh, at(0.125f, 0.375f, 5)}));
    // The lower two touch, but neither moves.
    CHECK_EQ(NEED(scene.free_step({})), 1.0);
    // The gap of 3 closes after three quarters of a fall by 4.
    const PrxObjectMove fall{high, {0}, at(0.125f, 0.375f, 1)};
    const PrxSceneImpact first = NEED(scene.first_impact({fall}));
    CHECK((same(first.object_a, middle) && same(first.object_b, high)));
    CHECK((first.impact.time <= 0.75 && first.impact.time > 0.75 * (1 - 1e-3)));
    CHECK_EQ(NEED(scene.free_step({fall})), first.impact.time);
    CHECK_NEAR(first.impact.normal[2], 1.0, 1e-6);
    const std::vector<PrxSceneImpact> impacts = NEED(scene.impacts({fall}));
    CHECK(!impacts.empty());
    for (const PrxSceneImpact& each : impacts) CHECK((same(each.object_b, high) && each.impact.time >= first.impact.time));
    // The lower side of one that is squashed on its way falls by 3.75 only.
    const PrxObjectMove flatten{high, squashed.handle(), at(0.125f, 0.375f, 1)};
    CHECK_NEAR(NEED(scene.free_step({flatten})), 0.8, 1e-3);
    PrxImpactsDef def = prx_impacts_def_default();
    def.separation = 1;
    CHECK_NEAR(NEED(scene.free_step({fall}, def)), 0.5, 0.6e-3);
    CHECK_REFUSED(scene.free_step({fall, fall}), PRX_STATUS_INVALID_ARGUMENT, "moves[1]");
    CHECK_REFUSED(scene.free_step({{low, squashed.handle(), at(0, 0, 0)}, {{0}, {0}, at(0, 0, 0)}}), PRX_STATUS_INVALID_HANDLE, "null");
    proxel::Mesh other = NEED(context.mesh(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::vector<std::uint32_t>{0, 1, 2}));
    CHECK_REFUSED(scene.free_step({{low, other.handle(), at(0, 0, 0)}}), PRX_STATUS_INVALID_ARGUMENT, "same triangles");
    const PrxSceneImpact none = NEED(scene.first_impact({{high, {0}, at(0, 0, 9)}}));
    CHECK((none.impact.kind == PRX_IMPACT_KIND_NONE && none.impact.time == 1.0 && none.object_a.id == 0));
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
        a_falling_cube(context);
        refused_moves_move_nothing(context);
        meshes_change_and_lose_their_names(context);
    }
}
