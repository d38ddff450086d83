// Batches: many queries, one submission; answers by ticket, against an oracle in double precision.
#include <cstring>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

PrxPose random_pose(std::mt19937& random, float reach) {
    std::normal_distribution<float> normal;
    std::uniform_real_distribution<float> anywhere(-reach, reach);
    PrxPose pose = prx_pose_identity();
    float length = 0;
    for (float& q : pose.rotation) {
        q = normal(random);
        length += q * q;
    }
    for (float& q : pose.rotation) q /= std::sqrt(length);
    for (float& p : pose.position) p = anywhere(random);
    return pose;
}

struct Box {
    double min[3], max[3];
};

/// The box of a shape under a pose, by the rotation matrix of the normalised quaternion.
Box oracle(const Shape& shape, const PrxPose& pose) {
    double x = pose.rotation[0], y = pose.rotation[1], z = pose.rotation[2], w = pose.rotation[3];
    const double length = std::sqrt(x * x + y * y + z * z + w * w);
    x /= length, y /= length, z /= length, w /= length;
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    Box box{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (const Vec3& p : shape.positions) {
        for (int axis = 0; axis < 3; ++axis) {
            const double at = rows[axis][0] * p.x + rows[axis][1] * p.y + rows[axis][2] * p.z + pose.position[axis];
            box.min[axis] = std::min(box.min[axis], at);
            box.max[axis] = std::max(box.max[axis], at);
        }
    }
    return box;
}

/// The answer contains the exact box, and is larger by at most 1e-5 of the scene's size.
bool certified(const PrxBounds& answer, const Box& exact, double scene) {
    bool holds = true;
    for (int axis = 0; axis < 3; ++axis) {
        holds = holds && answer.min[axis] <= exact.min[axis] && answer.max[axis] >= exact.max[axis] &&
                exact.min[axis] - answer.min[axis] <= 1e-5 * scene && answer.max[axis] - exact.max[axis] <= 1e-5 * scene;
    }
    return holds;
}

std::vector<Shape> zoo(std::mt19937& random) {
    std::vector<Shape> shapes = {cube(), moebius(30), torus(64, 33), together(cube(), cube(5), {3, -8, 1})};
    for (std::uint32_t count : {1u, 2u, 21u, 22u, 86u, 1000u, 30000u}) shapes.push_back(rubble(count, 4, random));
    return shapes;
}

void many_boxes_contain_and_are_tight(const proxel::Context& context) {
    std::mt19937 random(11);
    const std::vector<Shape> shapes = zoo(random);
    std::vector<proxel::Mesh> meshes;
    for (const Shape& shape : shapes) meshes.push_back(NEED(context.mesh(shape.positions, shape.triangles)));
    struct Asked {
        std::size_t shape;
        PrxPose pose;
        proxel::Ticket<PrxBounds> ticket;
    };
    proxel::Batch batch = NEED(context.batch());
    std::vector<Asked> asked;
    for (int i = 0; i < 300; ++i) {
        const std::size_t shape = random() % (i < 200 ? shapes.size() - 1 : shapes.size());
        const PrxPose pose = random_pose(random, i % 3 == 0 ? 1000.0f : 10.0f);
        asked.push_back({shape, pose, NEED(batch.bounds(meshes[shape], pose))});
    }
    NEED(batch.submit());
    NEED(batch.wait());
    int certain = 0;
    for (const Asked& a : asked) {
        double scene = 10;
        for (float p : a.pose.position) scene = std::max(scene, std::fabs(double{p}));
        certain += certified(NEED(batch.read(a.ticket)), oracle(shapes[a.shape], a.pose), scene);
    }
    CHECK_EQ(certain, 300);
}

void the_identity_gives_the_exact_box(const proxel::Context& context) {
    std::mt19937 random(12);
    for (const Shape& shape : zoo(random)) {
        const PrxBounds bounds = NEED(NEED(context.mesh(shape.positions, shape.triangles)).bounds());
        const Box exact = oracle(shape, prx_pose_identity());
        for (int axis = 0; axis < 3; ++axis) {
            CHECK_EQ(double{bounds.min[axis]}, exact.min[axis]);
            CHECK_EQ(double{bounds.max[axis]}, exact.max[axis]);
        }
    }
}

void several_are_in_flight_at_once(const proxel::Context& context) {
    const Shape shape = torus(100, 50);
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
    std::vector<proxel::Batch> batches;
    std::vector<proxel::Ticket<PrxBounds>> tickets;
    for (int i = 0; i < 10; ++i) {
        batches.push_back(NEED(context.batch()));
        PrxPose pose = prx_pose_identity();
        pose.position[0] = static_cast<float>(100 * i);
        tickets.push_back(NEED(batches.back().bounds(mesh, pose)));
    }
    for (proxel::Batch& batch : batches) NEED(batch.submit());
    for (std::size_t i = batches.size(); i-- > 0;) {
        NEED(batches[i].wait());
        CHECK(NEED(batches[i].poll()));
        PrxPose pose = prx_pose_identity();
        pose.position[0] = static_cast<float>(100 * i);
        CHECK(certified(NEED(batches[i].read(tickets[i])), oracle(shape, pose), 1000));
    }
    NEED(context.wait_idle());
}

void the_states_of_a_batch(const proxel::Context& context) {
    const Shape shape = cube();
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles, nullptr, PRX_MESH_DEFORMING));
    proxel::Batch batch = NEED(context.batch());
    const auto bounds = NEED(batch.bounds(mesh));
    const auto clusters = NEED(batch.clusters(mesh));
    CHECK((bounds.handle.id != 0 && clusters.handle.id != 0 && bounds.handle.id != clusters.handle.id));
    CHECK_REFUSED(batch.poll(), PRX_STATUS_WRONG_STATE, "not been submitted");
    CHECK_REFUSED(batch.wait(), PRX_STATUS_WRONG_STATE, "not been submitted");
    CHECK_REFUSED(batch.read(bounds), PRX_STATUS_WRONG_STATE, "not been submitted");

    NEED(batch.submit());
    CHECK_REFUSED(batch.bounds(mesh), PRX_STATUS_WRONG_STATE, "reset");
    // With no time to wait it is either done or not; both are answers.
    const PrxStatus at_once = prx_batch_wait(batch.handle(), 0);
    CHECK((at_once == PRX_STATUS_OK || at_once == PRX_STATUS_TIMEOUT));
    while (!NEED(batch.wait_for(1000000))) {
    }
    NEED(batch.wait());
    CHECK_EQ(NEED(batch.read(bounds)).max[0], 1.0f);

    PrxBounds untouched{{5, 5, 5}, {5, 5, 5}};
    CHECK_EQ(prx_batch_bounds_result(batch.handle(), clusters.handle, &untouched), PRX_STATUS_INVALID_ARGUMENT);
    CHECK(contains(prx_last_error(context.handle()), "clusters query, not bounds"));
    CHECK_EQ(untouched.min[0], 5.0f);
    std::uint64_t count = 0;
    CHECK_EQ(prx_batch_clusters_result(batch.handle(), bounds.handle, nullptr, 0, &count), PRX_STATUS_INVALID_ARGUMENT);

    // The same queries on newer positions.
    NEED(mesh.update(cube(4).positions));
    NEED(batch.submit());
    NEED(batch.wait());
    CHECK_EQ(NEED(batch.read(bounds)).max[0], 4.0f);
    CHECK_EQ(NEED(batch.read(clusters)).at(0).max[0], 4.0f);

    NEED(batch.reset());
    CHECK_REFUSED(batch.read(bounds), PRX_STATUS_INVALID_HANDLE, "reset");
    const auto fresh = NEED(batch.bounds(mesh));
    CHECK(fresh.handle.id != bounds.handle.id);
    NEED(batch.submit());
    NEED(batch.wait());
    CHECK_EQ(NEED(batch.read(fresh)).max[0], 4.0f);
    CHECK_REFUSED(batch.read(bounds), PRX_STATUS_INVALID_HANDLE, "reset");
    CHECK_REFUSED(batch.read(clusters), PRX_STATUS_INVALID_HANDLE, "reset");
}

void a_ticket_belongs_to_its_batch(const proxel::Context& context) {
    const Shape shape = cube();
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
    proxel::Batch a = NEED(context.batch()), b = NEED(context.batch());
    const auto mine = NEED(a.bounds(mesh)), theirs = NEED(b.bounds(mesh));
    for (proxel::Batch* batch : {&a, &b}) {
        NEED(batch->submit());
        NEED(batch->wait());
    }
    CHECK(a.read(mine).ok());
    CHECK_REFUSED(a.read(theirs), PRX_STATUS_INVALID_HANDLE, "not of this batch");
    CHECK_REFUSED(b.read(mine), PRX_STATUS_INVALID_HANDLE, "not of this batch");
    CHECK_REFUSED(a.read(proxel::Ticket<PrxBounds>{}), PRX_STATUS_INVALID_HANDLE, "not of this batch");
    CHECK_REFUSED(a.read(proxel::Ticket<PrxBounds>{{UINT64_MAX}}), PRX_STATUS_INVALID_HANDLE, "not of this batch");
}

void an_empty_batch_is_done_too(const proxel::Context& context) {
    proxel::Batch batch = NEED(context.batch());
    NEED(batch.submit());
    NEED(batch.wait());
    CHECK(NEED(batch.poll()));
}

void a_batch_keeps_its_meshes(const proxel::Context& context) {
    const Shape shape = cube();
    proxel::Batch batch = NEED(context.batch());
    proxel::Ticket<PrxBounds> ticket;
    {
        proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
        ticket = NEED(batch.bounds(mesh));
    }
    NEED(batch.submit());
    NEED(batch.wait());
    CHECK_EQ(NEED(batch.read(ticket)).max[2], 1.0f);
}

/// Kernels of different queries run side by side: synchronisation validation must see that each writes to its own answer only.
void answers_of_different_queries_do_not_overlap(const proxel::Context& context) {
    const Shape shape = cube();
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 8;
    proxel::Field ball = NEED(context.field_from_shape(prx_shape_default(), def));
    const std::vector<Vec3> points = {{0, 0, 1}};
    proxel::Batch batch = NEED(context.batch());
    const auto sampled = NEED(batch.sample(ball, points));
    const PrxPose pose = at(2, 0, 0);
    const auto bounds = NEED(batch.bounds(mesh, pose));
    const auto again = NEED(batch.sample(ball, points));
    NEED(batch.submit());
    NEED(batch.wait());
    // The point is on the unit sphere.
    for (const auto& ticket : {sampled, again}) {
        const PrxSample sample = NEED(batch.read(ticket)).at(0);
        CHECK(sample.lower <= 0);
        CHECK(sample.upper >= 0);
    }
    CHECK(certified(NEED(batch.read(bounds)), oracle(shape, pose), 3));
}

void the_same_input_gives_the_same_bits(const proxel::Context& context) {
    std::mt19937 random(13);
    const Shape shape = rubble(20000, 3, random);
    const PrxPose pose = random_pose(random, 5);
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
    proxel::Batch batch = NEED(context.batch());
    const auto bounds = NEED(batch.bounds(mesh, pose));
    const auto clusters = NEED(batch.clusters(mesh));
    PrxBounds first{};
    std::vector<PrxCluster> first_clusters;
    int different = 0;
    for (int i = 0; i < 100; ++i) {
        NEED(batch.submit());
        NEED(batch.wait());
        const PrxBounds now = NEED(batch.read(bounds));
        const std::vector<PrxCluster> now_clusters = NEED(batch.read(clusters));
        if (i == 0) first = now, first_clusters = now_clusters;
        different += std::memcmp(&now, &first, sizeof now) != 0 || now_clusters.size() != first_clusters.size() ||
                     std::memcmp(now_clusters.data(), first_clusters.data(), now_clusters.size() * sizeof(PrxCluster)) != 0;
    }
    CHECK_EQ(different, 0);
}

}  // namespace

TEST_CASE("batch") {
    for (PrxChoice subgroups : {PRX_CHOICE_AUTO, PRX_CHOICE_OFF}) {
        Witness witness;
        PrxContextDef def = witness.def();
        def.features.subgroups = subgroups;
        proxel::Context context = NEED(proxel::Context::open(def));
        many_boxes_contain_and_are_tight(context);
        the_identity_gives_the_exact_box(context);
        several_are_in_flight_at_once(context);
        the_states_of_a_batch(context);
        a_ticket_belongs_to_its_batch(context);
        an_empty_batch_is_done_too(context);
        a_batch_keeps_its_meshes(context);
        answers_of_different_queries_do_not_overlap(context);
        the_same_input_gives_the_same_bits(context);
    }
}
