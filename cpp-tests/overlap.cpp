// Overlap through the package: proofs on both sides of touching, many pairs in one batch, and refusals.
#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

/// A ball of radius 1 as a field, and a cube of side 1/2 around its own origin as a mesh.
struct Pair {
    const proxel::Context& context;
    proxel::Field ball;
    proxel::Mesh cube;

    explicit Pair(const proxel::Context& place)
        : context(place), ball(NEED(place.field_from_shape(sphere()))),
          cube(NEED(place.mesh(test::cube(0.5f, -0.25f).positions, test::cube(0.5f, -0.25f).triangles))) {}

    static PrxShape sphere() {
        PrxShape shape = prx_shape_default();
        shape.kind = PRX_SHAPE_KIND_SPHERE;
        shape.radius = 1.0f;
        return shape;
    }

    PrxStatus ask(const PrxPose& pose, const PrxOverlapDef& def, PrxOverlap& out) const {
        return prx_field_overlap(context.handle(), ball.handle(), nullptr, cube.handle(), &pose, &def, &out);
    }
};

/// Along x the cube's nearest face is at `gap` from the ball, and its nearest point in the middle of that face.
void a_cube_beside_a_ball(const Pair& pair) {
    const float error = NEED(pair.ball.info()).error;
    const PrxOverlapDef def = prx_overlap_def_default();
    PrxOverlap answer{};
    for (float gap : {2.0f, 0.3f, 3.0f * error + 0.02f, -3.0f * error - 0.02f, -0.5f, -1.0f}) {
        CHECK_EQ(pair.ask(at(1.25f + gap, 0.0f, 0.0f), def, answer), PRX_STATUS_OK);
        CHECK_EQ(answer.overlap, gap <= 0.0f ? 1u : 0u);
        CHECK_EQ(answer.certain, 1u);
        CHECK_EQ(answer.samples > 0, gap <= 0.0f);
    }
    // Nearer than the error it may be either, but is never said to be apart when it touches.
    CHECK_EQ(pair.ask(at(1.2499f, 0.0f, 0.0f), def, answer), PRX_STATUS_OK);
    CHECK_EQ(answer.overlap, 1u);
}

void many_pairs_in_one_batch(const Pair& pair) {
    proxel::Batch batch = NEED(pair.context.batch());
    std::vector<PrxTicket> tickets(64);
    for (std::size_t i = 0; i < tickets.size(); ++i) {
        const PrxPose pose = at(0.05f * static_cast<float>(i), 0.1f, 0.0f);
        CHECK_EQ(prx_batch_overlap(batch.handle(), pair.ball.handle(), nullptr, pair.cube.handle(), &pose, nullptr, &tickets[i]),
                 PRX_STATUS_OK);
    }
    NEED(batch.submit());
    NEED(batch.wait());
    for (std::size_t i = 0; i < tickets.size(); ++i) {
        const double face = 0.05 * static_cast<double>(i) - 0.25;
        PrxOverlap answer{};
        CHECK_EQ(prx_batch_overlap_result(batch.handle(), tickets[i], &answer), PRX_STATUS_OK);
        if (face < 0.9) CHECK_EQ(answer.overlap, 1u);
        if (face > 1.1) CHECK_EQ(answer.overlap, 0u);
    }
}

void what_cannot_be_asked(const Pair& pair) {
    PrxOverlapDef def = prx_overlap_def_default();
    PrxOverlap untouched{7, 7, 7, 7};
    CHECK_EQ(pair.ask(at(NAN, 0.0f, 0.0f), def, untouched), PRX_STATUS_INVALID_ARGUMENT);
    for (std::uint32_t resolution : {0u, 65536u}) {
        def.resolution = resolution;
        CHECK_EQ(pair.ask(at(0.0f, 0.0f, 0.0f), def, untouched), PRX_STATUS_INVALID_ARGUMENT);
        CHECK(contains(prx_last_error(pair.context.handle()), std::to_string(resolution)));
    }
    def.size = 4;
    CHECK_EQ(pair.ask(at(0.0f, 0.0f, 0.0f), def, untouched), PRX_STATUS_STRUCT_SIZE);
    CHECK_EQ(untouched.overlap, 7u);
}

/// Every path that the device lists answers, and the one that it does not have says so.
void every_listed_path_answers(const Pair& pair) {
    const PrxContextInfo info = NEED(pair.context.info());
    const std::uint32_t listed[] = {info.sampling_paths.compute, info.sampling_paths.three_pass,
                                    info.sampling_paths.geometry_shader, info.sampling_paths.binned};
    CHECK((info.sampling_paths.automatic >= PRX_SAMPLING_PATH_COMPUTE && info.sampling_paths.automatic <= PRX_SAMPLING_PATH_BINNED));
    const PrxPose pose = at(1.0f, 0.0f, 0.0f);
    for (std::uint32_t i = 0; i < 4; ++i) {
        const bool there = listed[i] == PRX_FEATURE_STATE_ON;
        PrxProximityDef proximity = prx_proximity_def_default();
        PrxPenaltyDef penalty = prx_penalty_def_default();
        proximity.path = penalty.path = static_cast<PrxSamplingPath>(PRX_SAMPLING_PATH_COMPUTE + i);
        PrxProximity nearest{};
        PrxPenalty force{};
        const PrxStatus expected = there ? PRX_STATUS_OK : PRX_STATUS_UNSUPPORTED;
        CHECK_EQ(prx_field_proximity(pair.context.handle(), pair.ball.handle(), nullptr, pair.cube.handle(), &pose, &proximity, &nearest),
                 expected);
        CHECK_EQ(prx_field_penalty(pair.context.handle(), pair.ball.handle(), nullptr, pair.cube.handle(), &pose, &penalty, &force),
                 expected);
        if (!there) continue;
        // The cube's face at x = 0.75 is 1/4 deep; what is of it inside is a square of side 1/2.
        CHECK((nearest.lower <= -0.25f && nearest.upper >= -0.25f));
        CHECK((force.force_sum[0] < 0.0f && force.depth_lower <= 0.25f && force.depth_upper >= 0.25f));
    }
}

}  // namespace

TEST_CASE("overlap") {
    Witness witness;
    {
        PrxContextDef def = witness.def();
        const proxel::Context context = NEED(proxel::Context::open(def));
        const Pair pair(context);
        a_cube_beside_a_ball(pair);
        many_pairs_in_one_batch(pair);
        what_cannot_be_asked(pair);
        every_listed_path_answers(pair);
    }
}
