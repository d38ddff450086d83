// Contacts of a scene through the package: cubes on a slab, what begins and ends, filters, and what is remembered from step to step.
#include <cmath>
#include <cstdint>
#include <vector>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

struct Fixture {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    Shape shape = cube(1.0f, -0.5f);
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
    proxel::Field field = baked(context, mesh, 32);
    proxel::Scene scene = NEED(context.scene());
    PrxContactsDef def = prx_contacts_def_default();
    PrxObject slab{}, left{}, right{};

    Fixture() {
        def.distance = 0.02f;
        PrxBody below = proxel::body(mesh, field);
        below.scale = 4.0f;
        below.position[2] = -2.0;
        slab = NEED(scene.add(below));
        left = NEED(scene.add(at(-1.0)));
        right = NEED(scene.add(at(1.0)));
    }

    // On the slab, whose upper side is at height 0.
    PrxBody at(double x) const {
        PrxBody body = proxel::body(mesh, field);
        body.position[0] = x;
        body.position[2] = 0.5;
        return body;
    }
    void move(PrxObject object, double x) {
        const PrxBody body = at(x);
        const PrxBodyPose pose{{body.position[0], body.position[1], body.position[2]}, {0, 0, 0, 1}};
        NEED(scene.move(object, pose));
    }
};

TEST_CASE("two cubes on a slab touch it with four corners each, and what the caller keeps goes on") {
    Fixture f;
    const auto first = NEED(f.scene.contacts(f.def));
    REQUIRE_EQ(first.pairs.size(), 2u);
    CHECK_EQ(first.found.tested, 2u);
    CHECK_EQ(first.contacts.size(), 8u);
    CHECK_EQ(first.patches.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        const PrxContactPair& pair = first.pairs[i];
        CHECK_EQ(pair.object_a.id, f.slab.id);
        CHECK_EQ(pair.object_b.id, (i == 0 ? f.left : f.right).id);
        CHECK_EQ(pair.event, PRX_PAIR_EVENT_BEGAN);
        CHECK_EQ(pair.manifold.contacts, 4u);
        CHECK_EQ(pair.first_contact, 4 * i);
        CHECK_EQ(pair.first_patch, i);
        for (std::size_t k = 0; k < 4; ++k) {
            const PrxContact& contact = first.contacts[4 * i + k];
            CHECK_NEAR(std::abs(contact.world_b[0] - (i == 0 ? -1.0 : 1.0)), 0.5, 1e-4);
            CHECK_NEAR(std::abs(contact.world_b[1]), 0.5, 1e-4);
            CHECK_NEAR(contact.separation, 0.0, 1e-4);
            CHECK_NEAR(contact.normal[2], 1.0, 1e-4);
            CHECK_EQ(contact.previous, -1);
        }
    }
    std::vector<std::uint64_t> users;
    for (const PrxContact& contact : first.contacts) users.push_back(contact.key + 5);
    NEED(f.scene.set_users(users));
    CHECK_EQ(f.scene.set_users(std::vector<std::uint64_t>{1}).status(), PRX_STATUS_INVALID_ARGUMENT);
    f.move(f.left, -1.01);
    const auto second = NEED(f.scene.contacts(f.def));
    REQUIRE_EQ(second.contacts.size(), 8u);
    for (std::size_t i = 0; i < 8; ++i) {
        CHECK_EQ(second.contacts[i].user, second.contacts[i].key + 5);
        CHECK_EQ(first.contacts[static_cast<std::size_t>(second.contacts[i].previous)].key, second.contacts[i].key);
    }
    CHECK_EQ(second.patches[1].previous, 1);
    CHECK_EQ(second.pairs[0].event, PRX_PAIR_EVENT_PERSISTS);
}

TEST_CASE("filters, exclusions and removal end pairs, each once") {
    Fixture f;
    NEED(f.scene.contacts(f.def));
    NEED(f.scene.exclude(std::vector<PrxObjectPair>{{f.left, f.slab}}));
    auto found = NEED(f.scene.contacts(f.def));
    REQUIRE_EQ(found.pairs.size(), 2u);
    CHECK_EQ(found.pairs[0].event, PRX_PAIR_EVENT_ENDED);
    CHECK_EQ(found.pairs[0].manifold.ended, 4u);
    CHECK_EQ(found.pairs[1].event, PRX_PAIR_EVENT_PERSISTS);
    CHECK_EQ(found.ended.size(), 4u);
    NEED(f.scene.exclude(proxel::View<PrxObjectPair>{}));
    NEED(f.scene.set(f.right, f.at(1.0), PrxBodyFilter{2, 2}));
    found = NEED(f.scene.contacts(f.def));
    REQUIRE_EQ(found.pairs.size(), 2u);
    CHECK_EQ(found.pairs[0].event, PRX_PAIR_EVENT_BEGAN);
    CHECK_EQ(found.pairs[1].event, PRX_PAIR_EVENT_ENDED);
    NEED(f.scene.remove(f.left));
    found = NEED(f.scene.contacts(f.def));
    REQUIRE_EQ(found.pairs.size(), 1u);
    CHECK_EQ(found.pairs[0].object_b.id, f.left.id);
    CHECK_EQ(found.pairs[0].event, PRX_PAIR_EVENT_ENDED);
    CHECK(NEED(f.scene.contacts(f.def)).pairs.empty());
}

TEST_CASE("recorded in a batch the answer is the same, and too little room is a status with the number needed") {
    Fixture f;
    proxel::Batch batch = NEED(f.context.batch());
    const auto ticket = NEED(batch.contacts(f.scene, f.def));
    NEED(batch.submit());
    NEED(batch.wait());
    const PrxSceneContacts found = NEED(batch.read(ticket));
    CHECK_EQ(found.contacts, 8u);
    const auto lists = NEED(f.scene.last_contacts(found));
    CHECK_EQ(lists.contacts.size(), 8u);
    PrxContact few[7];
    std::uint64_t count = 0;
    CHECK_EQ(prx_scene_contact_points(f.context.handle(), f.scene.handle(), few, 7, &count), PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK_EQ(count, 8u);
}

TEST_CASE("friction of a patch pulls like a spring and slips at its limit") {
    Fixture f;
    PrxBody below = proxel::body(f.mesh, f.field), above = f.at(0);
    below.scale = 4.0f;
    below.position[2] = -2.0;
    const auto touching = NEED(f.context.contacts(below, above, f.def));
    REQUIRE_EQ(touching.patches.size(), 1u);
    PrxFrictionDef law = prx_friction_def_default();
    law.stiffness = 100.0f;
    law.normal_force = 10.0f;
    PrxGrip grip{};
    CHECK_EQ(NEED(proxel::patch_friction(below, above, touching.patches[0], law, grip)).force[0], 0.0f);
    CHECK_EQ(grip.held, 1u);
    above.position[0] = 0.01;
    const auto held = NEED(proxel::patch_friction(below, above, touching.patches[0], law, grip));
    CHECK_NEAR(held.force[0], 1.0, 1e-3);
    CHECK_EQ(held.slipping, 0u);
    CHECK_NEAR(held.force_limit, 5.0, 1e-5);
    above.position[0] = 0.2;
    const auto slipping = NEED(proxel::patch_friction(below, above, touching.patches[0], law, grip));
    CHECK_NEAR(slipping.force[0], 5.0, 1e-3);
    CHECK_EQ(slipping.slipping, 1u);
    law.stiffness = -1.0f;
    CHECK_EQ(proxel::patch_friction(below, above, touching.patches[0], law, grip).status(), PRX_STATUS_INVALID_ARGUMENT);
}

}  // namespace
