// Devices that report other subgroups than they have, no higher limits than they must, memory that the host cannot see, no queue
// that draws, or no timeline semaphores; and devices without one of the optional features. The answers are the same, or a message names what is missing.
#include <algorithm>
#include <cmath>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

extern "C" void faulty_pretend(std::uint32_t subgroup_eighths, int size_control, int minimum_limits, int discrete, int compute_only);
extern "C" int faulty_wrong_maps();
extern "C" int faulty_wrong_commands();
extern "C" void faulty_hide_timelines();
extern "C" const char* faulty_alive();

namespace {

/// The device as it is.
void pretend_nothing() { faulty_pretend(8, 1, 0, 0, 0); }

/// A torus against a unit ball, 0.2 deep in it, and two unit cubes that share an eighth.
struct Answers {
    PrxContextInfo info{};
    proxel::Result<PrxBounds> bounds;
    proxel::Result<PrxProximity> proximity;
    proxel::Result<PrxPenalty> penalty;
    proxel::Result<PrxIntersectionVolume> volume;
    proxel::Result<PrxOverlap> overlap;
    proxel::Result<proxel::Contacts> contacts;
    proxel::Result<proxel::Containment> containment;
    /// Of a live field of the cube, at its middle and at two thirds of the way to a face.
    proxel::Result<std::vector<PrxSample>> samples;
    /// The torus as a cloth against the ball.
    proxel::Result<std::vector<PrxSoftContact>> soft_contacts;
    /// The torus and the ball as a scene.
    proxel::Result<proxel::SceneContacts> scene_contacts;
};

/// Around the x axis, which the torus and the ball do not mind: boxes of clusters are not boxes any more.
PrxPose rolled(PrxPose pose) {
    pose.rotation[0] = std::sin(0.2f);
    pose.rotation[3] = std::cos(0.2f);
    return pose;
}

proxel::Result<std::vector<PrxSample>> sample_live(const proxel::Context& context, const proxel::Mesh& box) {
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 16;
    const proxel::Field live = NEED(context.live_field(box, 0.6f, def));
    proxel::Batch batch = NEED(context.batch());
    NEED(batch.rebake(live));
    NEED(batch.submit());
    NEED(batch.wait());
    return live.sample(std::vector<Vec3>{{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.8f}});
}

proxel::Result<proxel::SceneContacts> scene_contacts(const proxel::Context& context, const PrxBody& a, const PrxBody& b) {
    proxel::Scene scene = NEED(context.scene());
    NEED(scene.add(a));
    NEED(scene.add(b));
    return scene.contacts();
}

/// A mesh of enough vertices, whose clusters are current: its bounds come from the clusters' boxes.
proxel::Result<PrxBounds> bounds_by_clusters(const proxel::Context& context) {
    const Shape ring = torus(420, 80);
    const proxel::Mesh mesh = NEED(context.mesh(ring.positions, ring.triangles));
    proxel::Batch batch = NEED(context.batch());
    NEED(batch.clusters(mesh));
    NEED(batch.submit());
    NEED(batch.wait());
    return mesh.bounds(rolled(at(2.1f, 0, 0)));
}

Answers ask(const proxel::Context& context) {
    const Shape ring = torus(160, 48), block = cube();
    const proxel::Mesh mesh = NEED(context.mesh(ring.positions, ring.triangles));
    const proxel::Mesh box = NEED(context.mesh(block.positions, block.triangles));
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 40;
    const proxel::Field field = NEED(context.field_from_shape(prx_shape_default(), def));
    NEED(field.wait());
    const PrxPose pose = at(2.1f, 0, 0);
    PrxBody ring_body = proxel::body(mesh), ball = proxel::body(field);
    ring_body.position[0] = 2.1;
    PrxOverlapDef drawn = prx_overlap_def_default();
    drawn.resolution = 128;
    return {NEED(context.info()), mesh.bounds(pose), context.proximity(field, {mesh, pose}), context.penalty(field, {mesh, pose}),
            context.intersection_volume({box, at(0, 0, 0)}, {box, at(0.5f, 0.5f, 0.5f)}), context.overlap(field, {mesh, pose}, drawn),
            context.contacts(ball, ring_body), context.contains({box, at(0, 0, 0)}, std::vector<Vec3>{{0.5f, 0.5f, 0.5f}, {2, 0, 0}}),
            sample_live(context, box), context.soft_contacts(ring_body, std::vector<PrxBody>{ball}), scene_contacts(context, ball, ring_body)};
}

Answers ask(const PrxContextDef& def) { return ask(NEED(proxel::Context::open(def))); }

/// The device as it is, asked once: most of the time goes into compiling kernels.
struct RealDevice {
    PrxContextInfo info;
    PrxPenalty penalty;
};
RealDevice real_device() {
    static const RealDevice real = [] {
        Witness witness;
        pretend_nothing();
        Answers answers = ask(witness.def());
        return RealDevice{answers.info, NEED(std::move(answers.penalty))};
    }();
    return real;
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

void check_contacts(const proxel::Contacts& contacts) {
    REQUIRE_FALSE(contacts.contacts.empty());
    float deepest = 0;
    for (const PrxContact& contact : contacts.contacts) {
        CHECK(contact.lower <= contact.upper);
        deepest = std::min(deepest, contact.separation);
        // On the torus, seen from its middle, and inside the ball's field.
        const double across = std::hypot(contact.world_b[0] - 2.1, contact.world_b[1]) - 1.0;
        CHECK_NEAR(std::hypot(across, contact.world_b[2]), 0.3, 0.01);
    }
    CHECK_NEAR(deepest, -0.2, 0.02);
}

void check_soft_contacts(const std::vector<PrxSoftContact>& contacts) {
    REQUIRE_FALSE(contacts.empty());
    double deepest = 0;
    for (const PrxSoftContact& contact : contacts) {
        const double truth = std::hypot(contact.point[0], contact.point[1], contact.point[2]) - 1.0;
        CHECK((contact.lower <= truth + 1e-6 && truth - 1e-6 <= contact.upper));
        deepest = std::min(deepest, truth);
    }
    // The outermost vertex.
    CHECK_NEAR(deepest, -0.2, 1e-6);
}

/// A pair of a scene has the contacts that the pair has alone.
void check_scene_contacts(const proxel::SceneContacts& scene) {
    REQUIRE_EQ(scene.pairs.size(), 1u);
    CHECK_EQ(scene.pairs[0].event, PRX_PAIR_EVENT_BEGAN);
    proxel::Contacts contacts;
    contacts.contacts = scene.contacts;
    check_contacts(contacts);
}

/// All answers but overlap. Sums of penalty are compared with the real device's.
void check_answers_but_overlap(Answers told, const PrxPenalty& truth) {
    check_bounds(NEED(std::move(told.bounds)));
    check_proximity(NEED(std::move(told.proximity)));
    check_penalty(NEED(std::move(told.penalty)), truth);
    CHECK_NEAR(NEED(std::move(told.volume)).volume, 0.125, 0.01);
    check_contacts(NEED(std::move(told.contacts)));
    const proxel::Containment inside = NEED(std::move(told.containment));
    CHECK_EQ(inside.points[0] & PRX_CONTAINMENT_INSIDE, std::uint32_t{PRX_CONTAINMENT_INSIDE});
    CHECK_EQ(inside.points[1] & PRX_CONTAINMENT_INSIDE, 0u);
    const std::vector<PrxSample> samples = NEED(std::move(told.samples));
    CHECK((samples[0].lower <= -0.5f && -0.5f <= samples[0].upper));
    CHECK((samples[1].lower <= -0.2f && -0.2f <= samples[1].upper));
    check_soft_contacts(NEED(std::move(told.soft_contacts)));
    check_scene_contacts(NEED(std::move(told.scene_contacts)));
}

void check_answers(Answers told, const PrxPenalty& truth) {
    CHECK_EQ(NEED(std::move(told.overlap)).overlap, 1u);
    check_answers_but_overlap(std::move(told), truth);
}

/// Whether a query was refused because of a limit that the message names, with what is needed.
template <typename T>
bool names_a_limit(const proxel::Result<T>& result) {
    return result.status() == PRX_STATUS_UNSUPPORTED && contains(result.message(), "max") && contains(result.message(), "needed");
}

}  // namespace

TEST_CASE("subgroups of another size than reported") {
    Witness witness;
    const RealDevice real = real_device();
    for (const std::uint32_t eighths : {4u, 16u, 64u})
        for (const bool size_control : {true, false}) {
            CAPTURE(eighths);
            CAPTURE(size_control);
            faulty_pretend(eighths, size_control, 0, 0, 0);
            const proxel::Context context = NEED(proxel::Context::open(witness.def()));
            const PrxContextInfo info = NEED(context.info());
            CHECK_EQ(info.subgroup_size, real.info.subgroup_size * eighths / 8);
            // Without a promise of the size, lanes meet in shared memory: by kernels that do not know the size, so one is tried.
            const std::uint32_t without = PRX_FEATURE_STATE_UNAVAILABLE;
            CHECK_EQ(info.features.subgroups, size_control ? real.info.features.subgroups : without);
            if (!size_control && eighths != 64) continue;
            check_answers(ask(context), real.penalty);
            check_bounds(NEED(bounds_by_clusters(context)));
        }
    pretend_nothing();
}

/// An optional feature that a def turns off, and what the device says of it.
struct Optional {
    PrxChoice PrxFeatureChoices::*choice;
    PrxFeatureState PrxFeatures::*state;
};

TEST_CASE("each optional feature off") {
    Witness witness;
    const RealDevice real = real_device();
    int tried = 0;
    for (const Optional feature : {Optional{&PrxFeatureChoices::depth_bounds, &PrxFeatures::depth_bounds},
                                   Optional{&PrxFeatureChoices::geometry_shader, &PrxFeatures::geometry_shader},
                                   Optional{&PrxFeatureChoices::conservative_rasterization, &PrxFeatures::conservative_rasterization},
                                   Optional{&PrxFeatureChoices::subgroups, &PrxFeatures::subgroups},
                                   Optional{&PrxFeatureChoices::float_atomics, &PrxFeatures::float_atomics},
                                   Optional{&PrxFeatureChoices::precise_occlusion, &PrxFeatures::precise_occlusion},
                                   Optional{&PrxFeatureChoices::fragment_stores, &PrxFeatures::fragment_stores}}) {
        // A device that does not have it was asked without it already.
        if (real.info.features.*feature.state != PRX_FEATURE_STATE_ON) continue;
        ++tried;
        PrxContextDef def = witness.def();
        def.features.*feature.choice = PRX_CHOICE_OFF;
        Answers told = ask(def);
        CHECK_EQ(told.info.features.*feature.state, PRX_FEATURE_STATE_OFF);
        check_answers(std::move(told), real.penalty);
    }
    CHECK(tried >= 3);
}

TEST_CASE("a card whose memory the host does not see") {
    Witness witness;
    const PrxPenalty truth = real_device().penalty;
    faulty_pretend(8, 1, 0, 1, 0);
    Answers told = ask(witness.def());
    pretend_nothing();
    CHECK_EQ(told.info.device_type, 2u);  // VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU
    check_answers(std::move(told), truth);
    CHECK_EQ(faulty_wrong_maps(), 0);
}

/// Everything but what draws, and no command that the queue would not take.
TEST_CASE("a queue that cannot draw") {
    Witness witness;
    const PrxPenalty truth = real_device().penalty;
    faulty_pretend(8, 1, 0, 0, 1);
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    Answers told = ask(context);
    CHECK_REFUSED(told.overlap, PRX_STATUS_UNSUPPORTED, "overlap draws, which queue family 0");
    check_answers_but_overlap(std::move(told), truth);
    const Shape block = cube();
    const proxel::Mesh box = NEED(context.mesh(block.positions, block.triangles));
    const proxel::Field field = NEED(context.field_from_shape(prx_shape_default(), prx_field_def_default()));
    NEED(field.wait());
    PrxPenaltyDef penalty = prx_penalty_def_default();
    penalty.path = PRX_SAMPLING_PATH_THREE_PASS;
    CHECK_REFUSED(context.penalty(field, box, penalty), PRX_STATUS_UNSUPPORTED, "which queue family 0");
    PrxProximityDef proximity = prx_proximity_def_default();
    proximity.path = PRX_SAMPLING_PATH_THREE_PASS;
    CHECK_REFUSED(context.proximity(field, box, proximity), PRX_STATUS_UNSUPPORTED, "which queue family 0");
    pretend_nothing();
    CHECK_EQ(faulty_wrong_commands(), 0);
}

/// The same answers by fences.
TEST_CASE("a device without timeline semaphores") {
    Witness witness;
    const PrxPenalty truth = real_device().penalty;
    faulty_hide_timelines();
    {
        const proxel::Context context = NEED(proxel::Context::open(witness.def()));
        check_answers(ask(context), truth);
        check_bounds(NEED(bounds_by_clusters(context)));
        CHECK_FALSE(contains(faulty_alive(), "semaphore"));
        CHECK(contains(faulty_alive(), "fence"));
    }
    pretend_nothing();
    CHECK_FALSE(contains(faulty_alive(), "fence"));
}

TEST_CASE("limits as low as vulkan allows") {
    Witness witness;
    const PrxPenalty truth = real_device().penalty;
    faulty_pretend(8, 1, 1, 0, 0);
    Answers low = ask(witness.def());
    pretend_nothing();
    check_bounds(NEED(std::move(low.bounds)));
    if (low.proximity.ok()) check_proximity(low.proximity.value());
    else CHECK_MESSAGE(names_a_limit(low.proximity), low.proximity.message());
    if (low.penalty.ok()) check_penalty(low.penalty.value(), truth);
    else CHECK_MESSAGE(names_a_limit(low.penalty), low.penalty.message());
    if (low.volume.ok()) CHECK_NEAR(low.volume.value().volume, 0.125, 0.01);
    else CHECK_MESSAGE(names_a_limit(low.volume), low.volume.message());
    if (low.contacts.ok()) check_contacts(low.contacts.value());
    else CHECK_MESSAGE(names_a_limit(low.contacts), low.contacts.message());
    if (low.soft_contacts.ok()) check_soft_contacts(low.soft_contacts.value());
    else CHECK_MESSAGE(names_a_limit(low.soft_contacts), low.soft_contacts.message());
    if (low.scene_contacts.ok()) check_scene_contacts(low.scene_contacts.value());
    else CHECK_MESSAGE(names_a_limit(low.scene_contacts), low.scene_contacts.message());
    if (low.overlap.ok()) CHECK_EQ(low.overlap.value().overlap, 1u);
    else CHECK_MESSAGE(names_a_limit(low.overlap), low.overlap.message());
    if (!low.containment.ok()) CHECK_MESSAGE(names_a_limit(low.containment), low.containment.message());
}
