// A way out of long calls: cancel, a limit of time, and no other call that waits for them.
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "engine.hpp"
#include "shapes.hpp"

using namespace test;

namespace {

/// So many triangles in one place that all pairs of two such heaps take hours.
Shape heap(std::uint32_t count = 400000) {
    Shape shape;
    shape.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    shape.triangles.assign(count, {0, 1, 2});
    return shape;
}

proxel::Mesh make(const proxel::Context& context, const Shape& shape) {
    return NEED(context.mesh(shape.positions, shape.triangles, "shape", PRX_MESH_DEFORMING));
}

/// A query on a thread of its own, whose status is there when it has ended.
class Running {
public:
    template <typename Query>
    explicit Running(Query query) : thread_([this, query] {
        status_ = query();
        ended_ = true;
    }) {}
    ~Running() { thread_.join(); }
    bool ended() const { return ended_; }
    PrxStatus status() const { return status_; }

private:
    std::atomic<bool> ended_{false};
    std::atomic<PrxStatus> status_{PRX_STATUS_OK};
    std::thread thread_;
};

/// Cancels until all have ended: a query that has not begun yet is not concerned by a cancel.
template <typename... Queries>
void cancel_until_ended(const proxel::Context& context, const Queries&... queries) {
    while (!(queries.ended() && ...)) {
        CHECK(context.cancel().ok());
        std::this_thread::yield();
    }
}

/// All of these waited for a sweep of minutes on the same context.
TEST_CASE("nobody waits for a long query, which ends when it is cancelled") {
    Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const proxel::Mesh a = make(context, heap()), b = make(context, heap());
    proxel::Mesh small = make(context, cube());
    PrxHierarchy hierarchy;
    REQUIRE(prx_hierarchy_create(context.handle(), small.handle(), nullptr, &hierarchy) == PRX_STATUS_OK);
    PrxScene scene;
    REQUIRE(prx_scene_create(context.handle(), &scene) == PRX_STATUS_OK);
    for (const PrxPose& pose : {at(0, 0, 0), at(0.5f, 0, 0)}) {
        PrxObject object;
        REQUIRE(prx_scene_add(context.handle(), scene, small.handle(), &pose, &object) == PRX_STATUS_OK);
    }
    std::uint64_t found = 7;
    Running query([&] {
        return prx_mesh_pairs(context.handle(), a.handle(), nullptr, b.handle(), nullptr, 0.0, nullptr, 0, &found);
    });
    for (int round = 0; round < 20; ++round) {
        CHECK_EQ(NEED(a.facts()).vertex_count, 3u);
        CHECK_NEAR(NEED(small.facts()).volume, 1.0, 1e-12);
        CHECK(small.update(cube().positions).ok());
        CHECK_EQ(prx_hierarchy_update(context.handle(), hierarchy, nullptr), PRX_STATUS_OK);
        PrxObjectPair pair;
        std::uint64_t count = 0;
        CHECK_EQ(prx_scene_object_pairs(context.handle(), scene, 0.0, &pair, 1, &count), PRX_STATUS_OK);
        CHECK_EQ(count, 1u);
        CHECK_NEAR(NEED(context.distance(small, {small, at(3, 0, 0)})).distance, 2.0, 1e-12);
        CHECK(!query.ended());
    }
    cancel_until_ended(context, query);
    CHECK_EQ(query.status(), PRX_STATUS_CANCELLED);
    CHECK_EQ(found, 7u);
    // The next query is not concerned.
    CHECK_NEAR(NEED(context.distance(small, {small, at(3, 0, 0)})).distance, 2.0, 1e-12);
    CHECK_EQ(prx_hierarchy_destroy(context.handle(), hierarchy), PRX_STATUS_OK);
    CHECK_EQ(prx_scene_destroy(context.handle(), scene), PRX_STATUS_OK);
}

TEST_CASE("scenes and hierarchies in a long query can be left") {
    Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const proxel::Mesh heaps[2] = {make(context, heap()), make(context, heap())};
    PrxHierarchy trees[2];
    for (int k = 0; k < 2; ++k)
        REQUIRE(prx_hierarchy_create(context.handle(), heaps[k].handle(), nullptr, &trees[k]) == PRX_STATUS_OK);
    PrxScene scene;
    REQUIRE(prx_scene_create(context.handle(), &scene) == PRX_STATUS_OK);
    PrxObject objects[2];
    for (int k = 0; k < 2; ++k) {
        REQUIRE(prx_scene_add(context.handle(), scene, heaps[k].handle(), nullptr, &objects[k]) == PRX_STATUS_OK);
    }
    std::uint64_t found[3] = {7, 7, 7};
    {
        Running between([&] {
            return prx_hierarchy_pairs(context.handle(), trees[0], nullptr, trees[1], nullptr, nullptr, 0, &found[0]);
        });
        Running among([&] { return prx_scene_pairs(context.handle(), scene, 0.0, nullptr, 0, &found[1]); });
        Running itself([&] { return prx_mesh_self_pairs(context.handle(), heaps[0].handle(), nullptr, 0, &found[2]); });
        // The scene is free while its pairs are looked for.
        const PrxPose pose = at(1, 0, 0);
        for (int round = 0; round < 20; ++round) {
            CHECK_EQ(prx_scene_move(context.handle(), scene, objects, &pose, 1), PRX_STATUS_OK);
            PrxObjectPair pair;
            std::uint64_t count = 0;
            CHECK_EQ(prx_scene_object_pairs(context.handle(), scene, 0.0, &pair, 1, &count), PRX_STATUS_OK);
            CHECK_EQ(count, 1u);
        }
        cancel_until_ended(context, between, among, itself);
        for (const Running* query : {&between, &among, &itself}) CHECK_EQ(query->status(), PRX_STATUS_CANCELLED);
    }
    for (std::uint64_t untouched : found) CHECK_EQ(untouched, 7u);
    for (PrxHierarchy tree : trees) CHECK_EQ(prx_hierarchy_destroy(context.handle(), tree), PRX_STATUS_OK);
    CHECK_EQ(prx_scene_destroy(context.handle(), scene), PRX_STATUS_OK);
}

TEST_CASE("a limit of no time ends every query, and none ends without a limit") {
    Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    PrxContext* c = context.handle();
    const proxel::Mesh first = make(context, cube()), second = make(context, cube(1.0f, 3.0f));
    const PrxMesh a = first.handle(), b = second.handle();
    PrxHierarchy trees[2];
    REQUIRE(prx_hierarchy_create(c, a, nullptr, &trees[0]) == PRX_STATUS_OK);
    REQUIRE(prx_hierarchy_create(c, b, nullptr, &trees[1]) == PRX_STATUS_OK);
    PrxScene scene;
    PrxObject object;
    REQUIRE(prx_scene_create(c, &scene) == PRX_STATUS_OK);
    REQUIRE(prx_scene_add(c, scene, a, nullptr, &object) == PRX_STATUS_OK);
    PrxTracker tracker;
    REQUIRE(prx_tracker_create(c, a, b, nullptr, &tracker) == PRX_STATUS_OK);
    const float corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const std::uint32_t tetrahedron[4] = {0, 1, 2, 3};
    const PrxTetrahedralBody body{corners, tetrahedron, 4, 1};
    const PrxMeshPair pair{a, b, prx_pose_identity(), prx_pose_identity()};
    const PrxBudget any{std::numeric_limits<double>::infinity(), UINT64_MAX};
    PrxNearDef near = prx_near_def_default();
    near.thickness = 0.01;
    const auto all = [&](PrxStatus expected) {
        std::uint64_t count;
        PrxDistance distance;
        PrxImpact impact;
        PrxMeshFacts facts;
        PrxChance chance;
        double step;
        CHECK_EQ(prx_mesh_distance(c, a, nullptr, b, nullptr, nullptr, &distance), expected);
        CHECK_EQ(prx_mesh_distances(c, &pair, 1, nullptr, &distance), expected);
        CHECK_EQ(prx_mesh_pairs(c, a, nullptr, b, nullptr, 0.5, nullptr, 0, &count), expected);
        CHECK_EQ(prx_mesh_pairs_culled(c, a, nullptr, b, nullptr, 0.5, nullptr, nullptr, 0, &count, nullptr), expected);
        CHECK_EQ(prx_mesh_self_pairs(c, a, nullptr, 0, &count), expected);
        CHECK_EQ(prx_mesh_near(c, a, nullptr, b, nullptr, &near, nullptr, 0, &count), expected);
        CHECK_EQ(prx_mesh_near_self(c, a, &near, nullptr, 0, &count), expected);
        CHECK_EQ(prx_mesh_sweep(c, a, a, b, b, nullptr, &impact), expected);
        CHECK_EQ(prx_mesh_sweep_self(c, a, a, nullptr, &impact), expected);
        CHECK_EQ(prx_mesh_sweep_poses(c, a, nullptr, nullptr, b, nullptr, nullptr, nullptr, &impact), expected);
        CHECK_EQ(prx_mesh_impacts(c, a, a, b, b, nullptr, nullptr, 0, &count), expected);
        CHECK_EQ(prx_mesh_free_step(c, a, a, b, b, nullptr, &step), expected);
        CHECK_EQ(prx_mesh_facts(c, a, PRX_VERTICES_INDEXED, &facts), expected);
        CHECK_EQ(prx_tetrahedra_inside(c, &body, 1, nullptr, 0, &count), expected);
        CHECK_EQ(prx_tetrahedra_depths(c, &body, 1, nullptr, 0, &count), expected);
        CHECK_EQ(prx_scene_object_pairs(c, scene, 0.0, nullptr, 0, &count), expected);
        CHECK_EQ(prx_scene_pairs(c, scene, 0.0, nullptr, 0, &count), expected);
        CHECK_EQ(prx_scene_colliding(c, scene, 0.0, nullptr, nullptr, 0, &count, nullptr), expected);
        CHECK_EQ(prx_mesh_collision_chance(c, a, nullptr, b, nullptr, 2.0, any, &chance), expected);
        CHECK_EQ(prx_hierarchy_pairs(c, trees[0], nullptr, trees[1], nullptr, nullptr, 0, &count), expected);
        CHECK_EQ(prx_hierarchy_update(c, trees[0], nullptr), expected);
        PrxExactIntersection shared;
        CHECK_EQ(prx_mesh_exact_intersection(c, a, nullptr, b, nullptr, &shared), expected);
        const PrxObjectMove move{object, {}, at(1, 0, 0)};
        CHECK_EQ(prx_scene_impacts(c, scene, &move, 1, nullptr, nullptr, 0, &count), expected);
        CHECK_EQ(prx_scene_free_step(c, scene, &move, 1, nullptr, &step), expected);
        // Answered by the device.
        PrxBounds bounds;
        CHECK_EQ(prx_mesh_bounds(c, a, nullptr, &bounds), expected);
        PrxIntersectionVolume volume;
        CHECK_EQ(prx_mesh_intersection_volume(c, a, nullptr, b, nullptr, nullptr, &volume, nullptr), expected);
    };
    all(PRX_STATUS_OK);
    CHECK(context.set_time_limit(0).ok());
    all(PRX_STATUS_CANCELLED);
    CHECK(contains(prx_last_error(c), "time limit"));
    // A tracker answers what it knows.
    PrxTracked tracked;
    CHECK_EQ(prx_tracker_step(c, tracker, nullptr, nullptr, any, &tracked), PRX_STATUS_OK);
    CHECK(tracked.distance.lower <= 2.0 * std::sqrt(3.0));
    CHECK(tracked.distance.upper >= 2.0 * std::sqrt(3.0) - 1e-9);
    // Meshes can be made.
    const proxel::Mesh another = make(context, cube());
    CHECK(context.set_time_limit(UINT64_MAX).ok());
    all(PRX_STATUS_OK);
    CHECK_EQ(prx_tracker_step(c, tracker, nullptr, nullptr, any, &tracked), PRX_STATUS_OK);
    CHECK_EQ(tracked.exact, 1u);
    CHECK_EQ(prx_tracker_destroy(c, tracker), PRX_STATUS_OK);
    for (PrxHierarchy tree : trees) CHECK_EQ(prx_hierarchy_destroy(c, tree), PRX_STATUS_OK);
    CHECK_EQ(prx_scene_destroy(c, scene), PRX_STATUS_OK);
}

/// An engine's device whose queue works on nothing until `open`: what was submitted waits for as long as a test likes.
class Gated {
public:
    Gated() : gate_(engine_.timeline(0)), context(NEED(proxel::Context::adopt(engine_.handover(), witness_.def()))) {}
    ~Gated() {
        context = {};
        engine_.destroy(gate_);
    }
    /// Lets nothing through that is submitted after `batch`, nor the batch.
    void close(proxel::Batch& batch) {
        NEED(batch.submit({PrxTimelinePoint{reinterpret_cast<std::uint64_t>(gate_), ++turn_}}));
    }
    void open() const { engine_.signal(gate_, turn_); }

private:
    Witness witness_;
    Engine engine_;
    VkSemaphore gate_;
    std::uint64_t turn_ = 0;

public:
    proxel::Context context;
};

/// What these calls ask goes on on the device when they are cancelled, and may use what its owner has destroyed meanwhile.
TEST_CASE("nobody has to wait for the device") {
    Gated gated;
    const proxel::Context& context = gated.context;
    PrxContext* c = context.handle();
    for (const bool by_limit : {false, true}) {
        const proxel::Mesh still = make(context, cube());
        proxel::Mesh mesh = make(context, cube()), other = make(context, cube(1.0f, 0.25f));
        proxel::Field field = NEED(context.field_from_shape(prx_shape_default()));
        proxel::Batch batch = NEED(context.batch());
        const auto ticket = NEED(batch.bounds(still));
        const float points[6] = {0, 0, 0, 2, 0, 0};
        PrxSample samples[2];
        PrxBounds bounds;
        std::uint64_t count = 7;
        PrxCullDef cull = prx_cull_def_default();
        cull.method = PRX_CULL_METHOD_VISIBILITY;
        const PrxMesh a = mesh.handle(), b = other.handle();
        const PrxField f = field.handle();
        const auto culled = [&] { return prx_mesh_pairs_culled(c, a, nullptr, b, nullptr, 0.0, &cull, nullptr, 0, &count, nullptr); };
        gated.close(batch);
        if (by_limit) CHECK(context.set_time_limit(20000000).ok());
        {
            const std::uint64_t forever = UINT64_MAX;
            Running waiting([&] { return prx_batch_wait(batch.handle(), forever); });
            Running idle([&] { return prx_context_wait_idle(c); });
            Running sampling([&] { return prx_field_sample(c, f, nullptr, points, 2, 12, samples); });
            Running bounding([&] { return prx_mesh_bounds(c, a, nullptr, &bounds); });
            Running culling(culled);
            if (!by_limit) cancel_until_ended(context, waiting, idle, sampling, bounding, culling);
            while (!(waiting.ended() && idle.ended() && sampling.ended() && bounding.ended() && culling.ended()))
                std::this_thread::yield();
            for (const Running* call : {&waiting, &idle, &sampling, &bounding, &culling})
                CHECK_EQ(call->status(), PRX_STATUS_CANCELLED);
        }
        CHECK_EQ(count, 7u);
        // Any number of calls can be cancelled; the device is not given more and more.
        if (by_limit)
            for (int round = 0; round < 12; ++round) CHECK_EQ(prx_mesh_bounds(c, a, nullptr, &bounds), PRX_STATUS_CANCELLED);
        CHECK(context.set_time_limit(UINT64_MAX).ok());
        CHECK(!NEED(batch.poll()));
        mesh = {}, other = {}, field = {};
        gated.open();
        NEED(batch.wait());
        CHECK_EQ(NEED(batch.read(ticket)).max[0], 1.0f);
        NEED(context.wait_idle());
        // All of it works again, on other meshes.
        mesh = make(context, cube()), other = make(context, cube(1.0f, 0.25f));
        count = 0;
        CHECK_EQ(prx_mesh_pairs_culled(c, mesh.handle(), nullptr, other.handle(), nullptr, 0.0, &cull, nullptr, 0, &count, nullptr),
                 PRX_STATUS_BUFFER_TOO_SMALL);
        CHECK(count > 0u);
        CHECK_EQ(NEED(mesh.bounds()).max[0], 1.0f);
    }
}

TEST_CASE("a cancel ends bakes, a limit only the wait for them") {
    Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const proxel::Mesh mesh = make(context, knot(400, 40));
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 256;
    proxel::Field field = NEED(context.bake(mesh, def));
    CHECK(context.set_time_limit(1000000).ok());
    CHECK_REFUSED(field.wait(), PRX_STATUS_CANCELLED, "time limit");
    CHECK(!NEED(field.progress()).ended);
    CHECK(context.set_time_limit(UINT64_MAX).ok());
    Running waiting([&] { return prx_field_wait(context.handle(), field.handle(), UINT64_MAX); });
    CHECK(context.cancel().ok());
    while (!waiting.ended()) std::this_thread::yield();
    CHECK_EQ(waiting.status(), PRX_STATUS_CANCELLED);
    CHECK_REFUSED(field.wait(), PRX_STATUS_CANCELLED, "the bake was cancelled");
    // Bakes that begin later are not concerned.
    def.resolution = 8;
    CHECK(NEED(context.bake(mesh, def)).wait().ok());
}

}  // namespace
