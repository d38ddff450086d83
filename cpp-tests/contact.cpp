// Contact through the package: proximity and penalty of a sphere's field against a cube, one by one, in a batch, and followed.
#include <cmath>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

proxel::Field ball(const proxel::Context& context) {
    PrxShape shape = prx_shape_default();
    shape.radius = 1.0f;
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 48;
    def.storage = PRX_STORAGE_DIRECTION;
    return NEED(context.field_from_shape(shape, def));
}

void the_nearest_point_of_a_cube(const proxel::Context& context, const proxel::Field& field, const proxel::Mesh& mesh) {
    // The unit cube from 0 to 1: its corner is nearest. 1.2 sqrt(3) - 1 away, and 0.5 sqrt(3) - 1 when inside.
    for (const float x : {0.6f, 0.5f}) {
        const PrxProximity found = NEED(context.proximity(field, {mesh, at(x, x, x)}));
        const double truth = std::sqrt(3.0) * x - 1.0;
        CHECK_NEAR(found.distance, truth, 0.05);
        CHECK((found.lower <= truth && truth <= found.upper));
        CHECK_EQ(found.in_domain, 1u);
        CHECK_EQ(found.penetrating, found.upper < 0.0f ? 1u : 0u);
        for (int i = 0; i < 3; ++i) {
            CHECK_NEAR(found.point_mesh[i], x, 0.05);
            CHECK_NEAR(found.point_field[i], 1.0 / std::sqrt(3.0), 0.05);
        }
    }
    const PrxProximity far = NEED(context.proximity(field, {mesh, at(10, 0, 0)}));
    CHECK_EQ(far.in_domain, 0u);
    CHECK((far.lower <= 9.0f && 9.0f <= far.upper));
}

void forces_cancel(const proxel::Context& context, const proxel::Field& field, const proxel::Mesh& mesh) {
    PrxPenaltyDef def = prx_penalty_def_default();
    def.stiffness = 100.0f;
    const PrxPenalty found = NEED(context.penalty(field, {mesh, at(0.4f, -0.5f, -0.5f)}, def));
    CHECK((found.sample_count > 0 && found.area > 0.0f));
    CHECK((found.area_lower <= found.area && found.area <= found.area_upper));
    CHECK((found.depth_lower <= found.depth && found.depth <= found.depth_upper));
    CHECK(found.force_sum[0] < 0.0f);
    for (int i = 0; i < 3; ++i) {
        CHECK_EQ(found.force_sum[i], -found.mesh_force_sum[i]);
        CHECK_NEAR(found.force[i] * found.area, found.force_sum[i], 1e-3);
    }
    const PrxPenalty apart = NEED(context.penalty(field, {mesh, at(3, 3, 3)}, def));
    CHECK_EQ(apart.sample_count, 0u);
    CHECK_EQ(apart.force_sum[0], 0.0f);
}

/// A cube around the ball's centre is pushed as much one way as the other.
void springs_are_within_their_errors(const proxel::Context& context, const proxel::Field& field, const proxel::Mesh& mesh) {
    const PrxPose middle = at(-0.5f, -0.5f, -0.5f);
    PrxPenaltyDef def = prx_penalty_def_default();
    CHECK(std::isinf(NEED(context.penalty(field, {mesh, middle}, def)).force_sum_error));
    def.force_errors = 1;
    const auto size = [](const float (&v)[3]) { return std::hypot(double{v[0]}, double{v[1]}, double{v[2]}); };
    float last = INFINITY;
    for (const std::uint32_t resolution : {32u, 128u}) {
        def.resolution = resolution;
        const PrxPenalty found = NEED(context.penalty(field, {mesh, middle}, def));
        CHECK(size(found.force_sum) <= found.force_sum_error);
        CHECK(size(found.torque_sum) <= found.torque_sum_error);
        CHECK(size(found.mesh_torque_sum) <= found.mesh_torque_sum_error);
        CHECK(found.force_sum_error < last);
        last = found.force_sum_error;
    }
    def.friction = 0.1f;
    CHECK_REFUSED(context.penalty(field, {mesh, middle}, def), PRX_STATUS_INVALID_ARGUMENT, "friction");
}

void a_batch_answers_as_single_calls(const proxel::Context& context, const proxel::Field& field, const proxel::Mesh& mesh) {
    proxel::Batch batch = NEED(context.batch());
    const PrxPose pose = at(0.3f, 0.2f, 0.1f);
    const auto proximity = NEED(batch.proximity(field, {mesh, pose}));
    const auto penalty = NEED(batch.penalty(field, {mesh, pose}));
    NEED(batch.submit());
    NEED(batch.wait());
    CHECK_EQ(NEED(batch.read(proximity)).distance, NEED(context.proximity(field, {mesh, pose})).distance);
    CHECK_EQ(NEED(batch.read(penalty)).force_sum[0], NEED(context.penalty(field, {mesh, pose})).force_sum[0]);
}

void bad_parameters_are_refused(const proxel::Context& context, const proxel::Field& field, const proxel::Mesh& mesh) {
    PrxPenaltyDef def = prx_penalty_def_default();
    PrxPenalty out{};
    const PrxPose pose = prx_pose_identity();
    for (const std::uint32_t resolution : {0u, 65536u}) {
        def.resolution = resolution;
        CHECK_EQ(prx_field_penalty(context.handle(), field.handle(), &pose, mesh.handle(), &pose, &def, &out),
                 PRX_STATUS_INVALID_ARGUMENT);
    }
    PrxProximityDef wrong = prx_proximity_def_default();
    wrong.path = static_cast<PrxSamplingPath>(77);
    PrxProximity nearest{};
    CHECK_EQ(prx_field_proximity(context.handle(), field.handle(), &pose, mesh.handle(), &pose, &wrong, &nearest),
             PRX_STATUS_INVALID_ARGUMENT);
    wrong = prx_proximity_def_default();
    wrong.size = 3;
    CHECK_EQ(prx_field_proximity(context.handle(), field.handle(), &pose, mesh.handle(), &pose, &wrong, &nearest),
             PRX_STATUS_STRUCT_SIZE);
}

void a_follower_has_the_newest(const proxel::Context& context, const proxel::Field& field, const proxel::Mesh& mesh) {
    proxel::Follower follower = NEED(context.follower());
    const PrxPose pose = at(0.3f, 0.2f, 0.1f);
    const PrxFollowed begun = NEED(follower.ask(field, {mesh, pose}));
    CHECK_EQ(begun.number, 0u);
    CHECK_EQ(begun.asked, 1u);
    NEED(context.wait_idle());
    const PrxFollowed followed = NEED(follower.ask(field, {mesh, pose}));
    CHECK_EQ(followed.number, 1u);
    CHECK(followed.age > 0.0);
    // The same bits as a call that waits.
    CHECK_EQ(followed.proximity.distance, NEED(context.proximity(field, {mesh, pose})).distance);
    CHECK_EQ(followed.penalty.area, NEED(context.penalty(field, {mesh, pose})).area);
    PrxAnchor anchor{};
    float force[3] = {1, 1, 1};
    CHECK_EQ(prx_static_friction(&followed.penalty, nullptr, &pose, 0.5f, 10.0f, &anchor, force), PRX_STATUS_OK);
    CHECK_EQ(anchor.held, 1u);
    CHECK_EQ(force[0], 0.0f);
    // Velocities count as in a call that waits.
    const std::vector<Vec3> velocities(cube().positions.size(), Vec3{1, 0.5f, 0});
    PrxPenaltyDef damped = prx_penalty_def_default();
    damped.damping = 3;
    proxel::Follower faster = NEED(context.follower(prx_proximity_def_default(), damped));
    PrxFollowDef def = prx_follow_def_default();
    def.velocities = velocities.data();
    NEED(faster.ask(field, {mesh, pose}, def));
    NEED(context.wait_idle());
    const PrxPenalty pushed = NEED(faster.ask(field, {mesh, pose}, def)).penalty;
    damped.velocities = velocities.data();
    const PrxPenalty waited = NEED(context.penalty(field, {mesh, pose}, damped));
    for (int i = 0; i < 3; ++i) CHECK_EQ(pushed.force_sum[i], waited.force_sum[i]);
    CHECK(pushed.force_sum[0] != followed.penalty.force_sum[0]);
    CHECK_REFUSED(context.follower(prx_proximity_def_default(), damped), PRX_STATUS_INVALID_ARGUMENT, "prx_follower_ask");
    def.velocity_stride = 8;
    CHECK_REFUSED(faster.ask(field, {mesh, pose}, def), PRX_STATUS_INVALID_ARGUMENT, "velocity_stride is 8");
    def = prx_follow_def_default();
    PrxSubmitDef submit = prx_submit_def_default();
    submit.flags = PRX_SUBMIT_TIMINGS;
    def.submit = &submit;
    CHECK_REFUSED(faster.ask(field, {mesh, pose}, def), PRX_STATUS_INVALID_ARGUMENT, "takes no times");
    PrxFollowed none{};
    const PrxFollower id = follower.release();
    CHECK_EQ(prx_follower_destroy(context.handle(), id), PRX_STATUS_OK);
    CHECK_EQ(prx_follower_ask(context.handle(), id, field.handle(), nullptr, mesh.handle(), &pose, nullptr, &none), PRX_STATUS_INVALID_HANDLE);
}

}  // namespace

/// A cube that enters the ball along x stops within the step, whatever the damping.
void damping_stops_and_does_not_reverse(const proxel::Context& context, const proxel::Field& field, const proxel::Mesh& mesh) {
    const double step = 1.0 / 60, mass = 2, speed = 3;
    PrxPose pose = prx_pose_identity();
    pose.position[0] = 0.9f;
    pose.linear_velocity[0] = static_cast<float>(-speed);
    PrxPenaltyDef def = prx_penalty_def_default();
    def.stiffness = 1e-6f;
    def.damping = 1e9f;
    def.damping_limit_step = step;
    // It cannot turn: only its mass gives way.
    def.mesh_inverse.mass = 1 / mass;
    const PrxPenalty answer = NEED(context.penalty(field, {mesh, pose}, def));
    REQUIRE(answer.area > 0);
    CHECK((answer.damping_scale > 0 && answer.damping_scale < 1));
    double force = 0, power = 0;
    for (int i = 0; i < 3; ++i) {
        force += double{answer.mesh_force_sum[i]} * answer.mesh_force_sum[i];
        power += double{answer.mesh_force_sum[i]} * pose.linear_velocity[i];
    }
    // The velocity along the force is zero after the step.
    CHECK_NEAR(power + step * force / mass, 0, 1e-4 * -power);
    def.damping_limit_step = -1;
    CHECK_REFUSED(context.penalty(field, {mesh, pose}, def), PRX_STATUS_INVALID_ARGUMENT, "damping_limit_step");
}

TEST_CASE("contact") {
    Witness witness;
    {
        const proxel::Context context = NEED(proxel::Context::open(witness.def()));
        const Shape shape = cube();
        const proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
        const proxel::Field field = ball(context);
        the_nearest_point_of_a_cube(context, field, mesh);
        forces_cancel(context, field, mesh);
        springs_are_within_their_errors(context, field, mesh);
        a_batch_answers_as_single_calls(context, field, mesh);
        bad_parameters_are_refused(context, field, mesh);
        a_follower_has_the_newest(context, field, mesh);
        damping_stops_and_does_not_reverse(context, field, mesh);
    }
}
