// Devices that report other subgroups than they have, and no higher limits than they must: the answers are the same, or a message
// names the limit.
#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

extern "C" void faulty_pretend(std::uint32_t subgroup_eighths, int size_control, int minimum_limits);

namespace {

/// A torus against a unit ball, 0.2 deep in it, and two unit cubes that share an eighth.
struct Answers {
    PrxContextInfo info{};
    proxel::Result<PrxBounds> bounds;
    proxel::Result<PrxProximity> proximity;
    proxel::Result<PrxPenalty> penalty;
    proxel::Result<PrxIntersectionVolume> volume;
};

Answers ask(Witness& witness) {
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const Shape ring = torus(160, 48), block = cube();
    const proxel::Mesh mesh = NEED(context.mesh(ring.positions, ring.triangles));
    const proxel::Mesh box = NEED(context.mesh(block.positions, block.triangles));
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 40;
    const proxel::Field field = NEED(context.field_from_shape(prx_shape_default(), def));
    NEED(field.wait());
    const PrxPose pose = at(2.1f, 0, 0);
    return {NEED(context.info()), mesh.bounds(pose), context.proximity(field, {mesh, pose}), context.penalty(field, {mesh, pose}),
            context.intersection_volume({box, at(0, 0, 0)}, {box, at(0.5f, 0.5f, 0.5f)})};
}

void check_bounds(const PrxBounds& bounds) {
    CHECK_NEAR(bounds.min[0], 0.8, 1e-5);
    CHECK_NEAR(bounds.max[0], 3.4, 1e-5);
}

void check_proximity(const PrxProximity& near) {
    // The outermost vertex lies on the x axis: no facet is nearer.
    CHECK((near.lower <= -0.2 && -0.2 <= near.upper));
    CHECK_NEAR(near.point_mesh[0], 0.8, 0.02);
}

void check_penalty(const PrxPenalty& forces, const PrxPenalty& truth) {
    CHECK((forces.depth_lower <= 0.2 + 1e-6 && 0.2 - 1e-6 <= forces.depth_upper));
    // The same samples, added in another order.
    CHECK_EQ(forces.sample_count, truth.sample_count);
    CHECK_NEAR(forces.area, truth.area, 1e-4 * truth.area);
    CHECK_NEAR(forces.depth_sum, truth.depth_sum, 1e-4 * truth.depth_sum);
}

/// Whether a query was refused because of a limit that the message names, with what is needed.
template <typename T>
bool names_a_limit(const proxel::Result<T>& result) {
    return result.status() == PRX_STATUS_UNSUPPORTED && contains(result.message(), "max") && contains(result.message(), "needed");
}

}  // namespace

TEST_CASE("subgroups of another size than reported") {
    Witness witness;
    faulty_pretend(8, 1, 0);
    const Answers real = ask(witness);
    const PrxPenalty truth = NEED(proxel::Result<PrxPenalty>(real.penalty));
    for (const std::uint32_t eighths : {4u, 16u, 64u})
        for (const bool size_control : {true, false}) {
            CAPTURE(eighths);
            CAPTURE(size_control);
            faulty_pretend(eighths, size_control, 0);
            Answers told = ask(witness);
            CHECK_EQ(told.info.subgroup_size, real.info.subgroup_size * eighths / 8);
            // Without a promise of the size, lanes meet in shared memory.
            const std::uint32_t without = PRX_FEATURE_STATE_UNAVAILABLE;
            CHECK_EQ(told.info.features.subgroups, size_control ? real.info.features.subgroups : without);
            check_bounds(NEED(std::move(told.bounds)));
            check_proximity(NEED(std::move(told.proximity)));
            check_penalty(NEED(std::move(told.penalty)), truth);
            CHECK_NEAR(NEED(std::move(told.volume)).volume, 0.125, 0.01);
        }
    faulty_pretend(8, 1, 0);
}

TEST_CASE("limits as low as vulkan allows") {
    Witness witness;
    faulty_pretend(8, 1, 0);
    const PrxPenalty truth = NEED(ask(witness).penalty);
    faulty_pretend(8, 1, 1);
    Answers low = ask(witness);
    faulty_pretend(8, 1, 0);
    check_bounds(NEED(std::move(low.bounds)));
    if (low.proximity.ok()) check_proximity(low.proximity.value());
    else CHECK_MESSAGE(names_a_limit(low.proximity), low.proximity.message());
    if (low.penalty.ok()) check_penalty(low.penalty.value(), truth);
    else CHECK_MESSAGE(names_a_limit(low.penalty), low.penalty.message());
    if (low.volume.ok()) CHECK_NEAR(low.volume.value().volume, 0.125, 0.01);
    else CHECK_MESSAGE(names_a_limit(low.volume), low.volume.message());
}
