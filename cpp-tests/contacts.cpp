// Contacts through the package: a cube on a slab and in a ball's field, from step to step, in a batch, and with bad arguments.
#include <cmath>
#include <cstdint>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

struct Fixture {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    Shape shape = cube();
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
    proxel::Field field = baked(context, mesh, 32);

    // A unit cube from 0 to 1 on another one, this far apart.
    PrxBody upper(double gap) const {
        PrxBody body = proxel::body(mesh, field);
        body.position[2] = 1.0 + gap;
        return body;
    }
};

TEST_CASE("a cube on a cube touches at its corners, and its contacts go on from step to step") {
    Fixture f;
    PrxContactsDef def = prx_contacts_def_default();
    def.distance = 0.05f;
    PrxBody lower = proxel::body(f.mesh, f.field), upper = f.upper(0.01);
    upper.scale = 0.5f;
    upper.position[0] = upper.position[1] = 0.25;
    auto first = NEED(f.context.contacts(lower, upper, def));
    REQUIRE_EQ(first.contacts.size(), 4u);
    CHECK_EQ(first.manifold.patches, 1u);
    CHECK_EQ(first.patches.size(), 1u);
    CHECK_EQ(first.patches[0].kept, 4u);
    for (PrxContact& contact : first.contacts) {
        CHECK_NEAR(contact.separation, 0.01, 1e-4);
        CHECK_NEAR(contact.normal[2], 1.0, 1e-4);
        CHECK_NEAR(std::abs(contact.world_b[0] - 0.5), 0.25, 1e-4);
        CHECK_NEAR(std::abs(contact.world_b[1] - 0.5), 0.25, 1e-4);
        CHECK_NEAR(contact.world_b[2], 1.01, 1e-5);
        CHECK_EQ(contact.feature, std::uint32_t{PRX_CONTACT_FEATURE_VERTEX});
        CHECK_EQ(contact.on, 1u);
        CHECK_EQ(contact.previous, -1);
        CHECK_EQ(contact.user, 0u);
        contact.user = contact.key + 7;
    }
    upper.position[0] += 0.01;
    const auto second = NEED(f.context.contacts(lower, upper, def, first.contacts));
    REQUIRE_EQ(second.contacts.size(), 4u);
    for (const PrxContact& contact : second.contacts) CHECK_EQ(contact.user, contact.key + 7);
    CHECK(second.ended.empty());
    upper.position[2] = 5.0;
    const auto apart = NEED(f.context.contacts(lower, upper, def, second.contacts));
    CHECK(apart.contacts.empty());
    CHECK_EQ(apart.ended.size(), 4u);
}

TEST_CASE("many pairs in one batch answer as single ones, and a list that is too small learns its size") {
    Fixture f;
    PrxContactsDef def = prx_contacts_def_default();
    def.distance = 0.05f;
    const PrxBody lower = proxel::body(f.mesh, f.field);
    proxel::Batch batch = NEED(f.context.batch());
    std::vector<proxel::Ticket<proxel::Contacts>> tickets;
    for (int i = 0; i < 10; ++i) tickets.push_back(NEED(batch.contacts(lower, f.upper(0.004 * i), def)));
    NEED(batch.submit());
    NEED(batch.wait());
    for (int i = 0; i < 10; ++i) {
        const auto together = NEED(batch.read(tickets[static_cast<std::size_t>(i)]));
        const auto alone = NEED(f.context.contacts(lower, f.upper(0.004 * i), def));
        REQUIRE_EQ(together.contacts.size(), alone.contacts.size());
        for (std::size_t k = 0; k < alone.contacts.size(); ++k) {
            CHECK_EQ(together.contacts[k].key, alone.contacts[k].key);
            CHECK_EQ(together.contacts[k].separation, alone.contacts[k].separation);
        }
    }
    std::uint64_t count = 0;
    PrxContact one{};
    PrxBody a = lower, b = f.upper(0.01);
    CHECK_EQ(prx_body_contacts(f.context.handle(), &a, &b, &def, nullptr, 0, nullptr, &one, 1, &count), PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK(count >= 4);
    CHECK_EQ(one.key, 0u);
}

TEST_CASE("bad bodies and defs are refused by name") {
    Fixture f;
    const PrxBody good = proxel::body(f.mesh, f.field);
    PrxBody body = good;
    body.size = 4;
    CHECK_REFUSED(f.context.contacts(body, good), PRX_STATUS_STRUCT_SIZE, "prx_body_default");
    body = good;
    body.position[1] = NAN;
    CHECK_REFUSED(f.context.contacts(good, body), PRX_STATUS_INVALID_ARGUMENT, "body_b.position");
    body = good;
    body.field.id = f.mesh.handle().id;
    CHECK_REFUSED(f.context.contacts(good, body), PRX_STATUS_INVALID_HANDLE, "");
    body = prx_body_default();
    CHECK_REFUSED(f.context.contacts(body, good), PRX_STATUS_INVALID_ARGUMENT, "neither");
    PrxContactsDef def = prx_contacts_def_default();
    def.sampling = static_cast<PrxContactSampling>(9);
    CHECK_REFUSED(f.context.contacts(good, good, def), PRX_STATUS_INVALID_ARGUMENT, "sampling is 9");
    def = prx_contacts_def_default();
    def.distance = -1.0f;
    CHECK_REFUSED(f.context.contacts(good, good, def), PRX_STATUS_INVALID_ARGUMENT, "distance is -1");
}

} // namespace

TEST_CASE("soft contacts list every vertex below the thickness, with the forces of a law") {
    Fixture f;
    // The cube from 0 to 1 as a field; the other stands with its lower side 0.01 above it.
    const PrxBody lower = proxel::body(f.field);
    PrxBody upper = proxel::body(f.mesh);
    upper.scale = 0.5f;
    upper.position[0] = upper.position[1] = 0.25;
    upper.position[2] = 1.01;
    PrxSoftContactsDef def = prx_soft_contacts_def_default();
    def.distance = 0.05f;
    def.stiffness = 100.0f;
    proxel::Batch batch = NEED(f.context.batch());
    const auto ticket = NEED(batch.soft_contacts(upper, {lower}, def));
    NEED(batch.submit());
    NEED(batch.wait());
    const auto found = NEED(batch.read(ticket));
    REQUIRE_EQ(found.contacts.size(), 4u);
    REQUIRE_EQ(found.forces.size(), 24u);
    double pushed = 0;
    for (std::size_t i = 2; i < found.forces.size(); i += 3) pushed += found.forces[i];
    // Four springs of 0.04 each.
    CHECK_NEAR(pushed, 4 * 100 * 0.04, 0.05);
    for (const PrxSoftContact& contact : found.contacts) {
        CHECK_EQ(contact.feature, PRX_CONTACT_FEATURE_VERTEX);
        CHECK_EQ(contact.body, 0u);
        CHECK_NEAR(contact.separation, 0.01, 1e-4);
        CHECK(contact.lower <= 0.01f);
        CHECK(contact.upper >= 0.0099f);
        CHECK_NEAR(contact.normal[2], 1.0, 1e-3);
        CHECK_NEAR(contact.point[2], 1.01, 1e-5);
    }
    CHECK_EQ(NEED(f.context.soft_contacts(upper, {lower}, def)).size(), 4u);
    // Too little room: the number and nothing else.
    PrxSoftContact few[3]{};
    std::uint64_t count = 0;
    CHECK_EQ(prx_body_soft_contacts(f.context.handle(), &upper, &lower, 1, &def, few, 3, &count), PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK((count == 4 && few[0].vertices[0] == 0 && few[0].separation == 0));
    count = 0;
    CHECK_EQ(prx_batch_soft_contacts_result(batch.handle(), ticket.handle, few, 3, &count), PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK_EQ(count, 4u);
    std::vector<float> forces(24, -7.0f);
    CHECK_EQ(prx_batch_soft_contacts_forces(batch.handle(), ticket.handle, forces.data(), 23, &count), PRX_STATUS_BUFFER_TOO_SMALL);
    CHECK((count == 24 && forces == std::vector<float>(24, -7.0f)));
    upper.position[2] = 1.5;
    CHECK(NEED(f.context.soft_contacts(upper, {lower}, def)).empty());
    def.distance = -1.0f;
    CHECK_REFUSED(f.context.soft_contacts(upper, {lower}, def), PRX_STATUS_INVALID_ARGUMENT, "distance is -1");
    def.distance = 0.05f;
    CHECK_REFUSED(f.context.soft_contacts(upper, {}, def), PRX_STATUS_INVALID_ARGUMENT, "body_count is 0");
    const std::vector<float> four(4);
    CHECK_REFUSED(batch.soft_contacts(upper, {lower}, def, four), PRX_STATUS_INVALID_ARGUMENT, "velocity_count is 4");
}
