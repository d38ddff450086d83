// Exact queries in batches: the bytes of the calls, beside queries of the device, from one thread and from four.
#include <atomic>
#include <cstring>
#include <random>
#include <thread>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

Shape moved(Shape shape, float x, float y = 0, float z = 0) {
    for (Vec3& p : shape.positions) p = {p.x + x, p.y + y, p.z + z};
    return shape;
}

proxel::Mesh make(const proxel::Context& context, const Shape& shape) {
    return NEED(context.mesh(shape.positions, shape.triangles, "shape", PRX_MESH_DEFORMING));
}

/// Two tori that cross, one of them on its way, and a scene of both.
struct Bodies {
    explicit Bodies(const proxel::Context& in)
        : context(in), a(make(in, torus(24, 12))), b(make(in, moved(torus(20, 10), 0.4f, 0.1f))),
          b1(make(in, moved(torus(20, 10), 0.2f, 0.3f))), rubbish(make(in, dense_rubble())), scene(NEED(in.scene())) {
        NEED(scene.add(a));
        object = NEED(scene.add(b));
        near_def.thickness = 0.03;
    }
    static Shape dense_rubble() {
        std::mt19937 random(5);
        return rubble(300, 0.15f, random);
    }

    const proxel::Context& context;
    proxel::Mesh a, b, b1, rubbish;
    proxel::Scene scene;
    PrxObject object{};
    PrxNearDef near_def = prx_near_def_default();
    float corners[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.25f, 0.25f, 0.25f, 5, 0, 0, 5, 1, 0, 5, 0, 1};
    std::uint32_t tetrahedron[4] = {0, 1, 2, 3};
    PrxTetrahedralBody tetrahedra[2] = {{corners, tetrahedron, 4, 1}, {corners + 12, tetrahedron, 4, 1}};
    std::vector<PrxObjectMove> moves() const { return {{object, b1.handle(), prx_pose_identity()}}; }
};

template <typename T>
bool same(const T& x, const T& y) {
    return std::memcmp(&x, &y, sizeof(T)) == 0;
}
template <typename T>
bool same(const std::vector<T>& x, const std::vector<T>& y) {
    return !x.empty() && x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

/// The tickets of all exact queries about some bodies.
struct Recorded {
    Recorded(proxel::Batch& batch, const Bodies& w)
        : bounds(NEED(batch.bounds(w.a))), distance(NEED(batch.distance(w.a, {w.b, at(3, 0, 0)}))),
          meeting(NEED(batch.pairs(w.a, w.b))), close(NEED(batch.pairs(w.a, w.b, 0.02))), itself(NEED(batch.self_pairs(w.rubbish))),
          shared(NEED(batch.exact_intersection(w.a, w.b))), crossing(NEED(batch.intersection(w.a, w.b))),
          inside(NEED(batch.vertices_inside(w.tetrahedra))), depths(NEED(batch.vertex_depths(w.tetrahedra))), scene_pairs(NEED(batch.pairs(w.scene))),
          scene_impacts(NEED(batch.impacts(w.scene, w.moves()))), first(NEED(batch.first_impact(w.scene, w.moves()))),
          sweep(NEED(batch.sweep(w.a, w.a, w.b, w.b1))), turn(NEED(batch.sweep_poses({w.a, at(5, 0, 0)}, prx_pose_identity(), w.b, at(0, 0, 0)))),
          impacts(NEED(batch.impacts(w.a, w.a, w.b, w.b1))), step(NEED(batch.free_step(w.a, w.a, w.b, w.b1))),
          near_list(NEED(batch.near_pairs(w.a, w.b, w.near_def))), near_itself(NEED(batch.near_pairs_self(w.rubbish, w.near_def))),
          safe(NEED(batch.safe_distances(w.a, w.b, w.near_def))) {}

    /// Compares all answers with what the calls say.
    void check(const proxel::Batch& batch, const Bodies& w) const {
        const proxel::Context& now = w.context;
        CHECK_NEAR(NEED(batch.read(bounds)).max[0], 1.3, 1e-5);
        CHECK(same(NEED(batch.read(distance)), NEED(now.distance(w.a, {w.b, at(3, 0, 0)}))));
        CHECK(same(NEED(batch.read(meeting)), NEED(now.pairs(w.a, w.b))));
        CHECK(same(NEED(batch.read(close)), NEED(now.pairs(w.a, w.b, 0.02))));
        CHECK(same(NEED(batch.read(itself)), NEED(w.rubbish.self_pairs())));
        CHECK(same(NEED(batch.read(shared)), NEED(now.exact_intersection(w.a, w.b))));
        const proxel::Intersection owned(now.handle(), NEED(batch.read(crossing)));
        CHECK(same(NEED(owned.summary()), NEED(batch.read(shared))));
        CHECK(same(NEED(owned.regions()), NEED(NEED(now.intersection(w.a, w.b)).regions())));
        CHECK(same(NEED(batch.read(inside)), NEED(now.vertices_inside(w.tetrahedra))));
        CHECK(same(NEED(batch.read(depths)), NEED(now.vertex_depths(w.tetrahedra))));
        CHECK(same(NEED(batch.read(scene_pairs)), NEED(w.scene.pairs())));
        CHECK(same(NEED(batch.read(scene_impacts)), NEED(w.scene.impacts(w.moves()))));
        CHECK(same(NEED(batch.read(first)), NEED(w.scene.first_impact(w.moves()))));
        CHECK(same(NEED(batch.read(sweep)), NEED(now.sweep(w.a, w.a, w.b, w.b1))));
        CHECK(same(NEED(batch.read(turn)), NEED(now.sweep_poses({w.a, at(5, 0, 0)}, prx_pose_identity(), w.b, at(0, 0, 0)))));
        CHECK(same(NEED(batch.read(impacts)), NEED(now.impacts(w.a, w.a, w.b, w.b1))));
        CHECK(same(NEED(batch.read(step)), NEED(now.free_step(w.a, w.a, w.b, w.b1))));
        CHECK(same(NEED(batch.read(near_list)), NEED(now.near_pairs(w.a, w.b, w.near_def))));
        CHECK(same(NEED(batch.read(near_itself)), NEED(now.near_pairs_self(w.rubbish, w.near_def))));
        CHECK(same(NEED(batch.read(safe)), NEED(now.safe_distances(w.a, w.b, w.near_def))));
    }

    proxel::Ticket<PrxBounds> bounds;
    proxel::Ticket<PrxDistance> distance;
    proxel::Ticket<std::vector<PrxPair>> meeting, close;
    proxel::Ticket<std::vector<PrxTrianglePair>> itself;
    proxel::Ticket<PrxExactIntersection> shared;
    proxel::Ticket<PrxIntersection> crossing;
    proxel::Ticket<std::vector<PrxVertexInside>> inside;
    proxel::Ticket<std::vector<PrxVertexDepth>> depths;
    proxel::Ticket<std::vector<PrxScenePair>> scene_pairs;
    proxel::Ticket<std::vector<PrxSceneImpact>> scene_impacts;
    proxel::Ticket<PrxSceneImpact> first;
    proxel::Ticket<PrxImpact> sweep, turn;
    proxel::Ticket<std::vector<PrxFeatureImpact>> impacts;
    proxel::Ticket<double> step;
    proxel::Ticket<std::vector<PrxNearPair>> near_list, near_itself;
    proxel::Ticket<std::vector<double>> safe;
};

void run(proxel::Batch& batch) {
    NEED(batch.submit());
    NEED(batch.wait());
}

TEST_CASE("every exact query has the bytes of its call, also submitted again and after a reset") {
    Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const Bodies bodies(context);
    proxel::Batch batch = NEED(context.batch());
    for (int round = 0; round < 2; ++round) {
        const Recorded recorded(batch, bodies);
        for (int again = 0; again < 2; ++again) {
            run(batch);
            recorded.check(batch, bodies);
        }
        NEED(batch.reset());
        CHECK_REFUSED(batch.read(recorded.distance), PRX_STATUS_INVALID_HANDLE, "reset since");
    }
}

TEST_CASE("four threads have batches in flight") {
    Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const Bodies bodies(context);
    std::vector<proxel::Batch> batches;
    std::vector<Recorded> recorded;
    for (int k = 0; k < 4; ++k) {
        batches.push_back(NEED(context.batch()));
        recorded.emplace_back(batches.back(), bodies);
    }
    for (int round = 0; round < 2; ++round) {
        // Failures are counted, because checks are for one thread.
        std::atomic<int> wrong{0};
        std::vector<std::thread> threads;
        for (proxel::Batch& batch : batches) threads.emplace_back([&] { wrong += !batch.submit() || !batch.wait(); });
        for (std::thread& thread : threads) thread.join();
        CHECK_EQ(wrong.load(), 0);
        for (std::size_t k = 0; k < batches.size(); ++k) recorded[k].check(batches[k], bodies);
    }
}

TEST_CASE("positions are those of the submission, and a destroyed mesh stays with its batch") {
    Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    proxel::Mesh ground = make(context, cube()), lifted = make(context, moved(cube(), 2));
    proxel::Batch batch = NEED(context.batch());
    const auto distance = NEED(batch.distance(ground, lifted));
    CHECK_REFUSED(batch.read(distance), PRX_STATUS_WRONG_STATE, "not been submitted");
    NEED(lifted.update(moved(cube(), 3).positions));
    NEED(batch.submit());
    NEED(lifted.update(moved(cube(), 5).positions));
    NEED(batch.wait());
    CHECK_EQ(NEED(batch.poll()), true);
    CHECK_EQ(NEED(batch.read(distance)).distance, 2.0);
    lifted = {};
    ground = {};
    run(batch);
    CHECK_EQ(NEED(batch.read(distance)).distance, 4.0);
}

TEST_CASE("a list that does not fit tells how long it is") {
    Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const Bodies w(context);
    proxel::Batch batch = NEED(context.batch());
    const std::uint64_t all = NEED(context.pairs(w.a, w.b)).size();
    const auto pairs = NEED(batch.pairs(w.a, w.b)), few = NEED(batch.pairs(w.a, w.b, 0, all - 1)), just = NEED(batch.pairs(w.a, w.b, 0, all));
    const auto bounds = NEED(batch.bounds(w.a));
    run(batch);
    std::vector<PrxPair> out(all);
    std::uint64_t count = 7;
    CHECK_EQ(prx_batch_pairs_result(batch.handle(), pairs.handle, out.data(), all - 1, &count), PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK_EQ(count, all);
    CHECK_EQ(out[0].triangle_b + out[0].distance, 0.0);
    CHECK_EQ(prx_batch_pairs_result(batch.handle(), pairs.handle, nullptr, 0, &count), PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK_EQ(prx_batch_pairs_result(batch.handle(), pairs.handle, out.data(), all, &count), PRX_STATUS_OK);
    CHECK_EQ(prx_batch_pairs_result(batch.handle(), few.handle, out.data(), (count = 7, all), &count), PRX_STATUS_OUT_OF_HOST_MEMORY);
    CHECK_EQ(count, all);
    CHECK_REFUSED(batch.read(few), PRX_STATUS_OUT_OF_HOST_MEMORY, std::to_string(all) + " needed");
    CHECK_EQ(NEED(batch.read(just)).size(), all);
    // A ticket is of one kind.
    PrxDistance distance{};
    PrxBounds box{};
    CHECK_EQ(prx_batch_distance_result(batch.handle(), pairs.handle, &distance), PRX_STATUS_INVALID_ARGUMENT);
    CHECK_EQ(prx_batch_distance_result(batch.handle(), bounds.handle, &distance), PRX_STATUS_INVALID_ARGUMENT);
    CHECK_EQ(prx_batch_bounds_result(batch.handle(), pairs.handle, &box), PRX_STATUS_INVALID_ARGUMENT);
    CHECK_EQ(prx_batch_distance_result(batch.handle(), {0}, &distance), PRX_STATUS_INVALID_HANDLE);
}

/// So many triangles in one place that all pairs of two such heaps take hours.
Shape heap() {
    Shape shape;
    shape.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    shape.triangles.assign(400000, {0, 1, 2});
    return shape;
}

TEST_CASE("a query of hours ends with a cancel or a limit, alone of its batch, and goes with its batch") {
    Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const proxel::Mesh a = make(context, heap()), b = make(context, heap()), small = make(context, cube());
    proxel::Batch batch = NEED(context.batch());
    const auto hours = NEED(batch.pairs(a, b, 0, 0));
    const auto bounds = NEED(batch.bounds(small));
    NEED(batch.submit());
    CHECK_EQ(NEED(batch.poll()), false);
    CHECK_EQ(NEED(batch.wait_for(1000)), false);
    CHECK_REFUSED(batch.read(hours), PRX_STATUS_WRONG_STATE, "in flight");
    CHECK_REFUSED(batch.reset(), PRX_STATUS_WRONG_STATE, "in flight");
    CHECK_REFUSED(batch.submit(), PRX_STATUS_WRONG_STATE, "in flight");
    // Others of the context go on meanwhile.
    CHECK_NEAR(NEED(context.distance(small, {small, at(3, 0, 0)})).distance, 2.0, 1e-12);
    NEED(context.cancel());
    NEED(batch.wait());
    CHECK_REFUSED(batch.read(hours), PRX_STATUS_CANCELLED, "cancelled");
    CHECK_EQ(NEED(batch.read(bounds)).max[0], 1.0f);
    // Nothing but the limit, counted from the submission, ends this one.
    NEED(context.set_time_limit(500'000'000));
    NEED(batch.submit());
    NEED(context.set_time_limit(UINT64_MAX));
    NEED(batch.wait());
    CHECK_REFUSED(batch.read(hours), PRX_STATUS_CANCELLED, "time limit");
    NEED(batch.submit());
    NEED(context.cancel());
    // Destroyed in flight.
    batch = {};
    NEED(context.wait_idle());
}

}  // namespace
