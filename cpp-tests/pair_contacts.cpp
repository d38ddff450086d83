// Contacts that are asked for only when bodies have moved: how often that is, that contacts stay with the bodies, and that their intervals hold.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

constexpr float half = 0.5f, slack = 1 / 16.0f;

struct Fixture {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    Shape shape = cube();
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
    proxel::Field field = baked(context, mesh, 32);
    proxel::Batch batch = NEED(context.batch());
    proxel::PairContacts pair;
    PrxContactsDef def = prx_contacts_def_default();
    PrxBody floor = proxel::body(mesh, field), upper = proxel::body(mesh, field);

    // A cube of half the size on the middle of a unit cube, this far apart. All its points are within `radius` of its origin.
    explicit Fixture(double gap) {
        def.distance = 1 / 32.0f;
        upper.scale = half;
        upper.position[0] = upper.position[1] = 0.25;
        upper.position[2] = 1 + gap;
    }
    double radius() const { return half * std::sqrt(3.0); }

    bool ask() {
        NEED(batch.reset());
        const bool asked = NEED(pair.ask(batch, floor, upper, def, slack, radius()));
        if (!asked) return false;
        NEED(batch.submit());
        NEED(batch.wait());
        NEED(pair.read(batch));
        return true;
    }
};

// Four contacts with the corners under the upper cube, this far apart, whose intervals hold that.
void check_corners(const Fixture& f, double gap) {
    CHECK_EQ(f.pair.contacts().size(), 4u);
    double seen[4] = {1, 1, 1, 1};
    for (const PrxContact& contact : f.pair.contacts()) {
        CHECK_NEAR(contact.separation, gap, 1e-5);
        CHECK(contact.lower <= gap);
        CHECK(contact.upper >= gap);
        CHECK_NEAR(contact.normal[2], 1.0, 1e-4);
        CHECK_NEAR(contact.world_a[2], contact.world_b[2] - gap, 1e-5);
        const double s = 2.0 * f.upper.rotation[2] * f.upper.rotation[3], c = 1 - 2.0 * f.upper.rotation[2] * f.upper.rotation[2];
        for (int k = 0; k < 4; ++k) {
            const double x = half * (k & 1), y = half * (k >> 1), *at = f.upper.position;
            const double off[] = {at[0] + c * x - s * y - contact.world_b[0], at[1] + s * x + c * y - contact.world_b[1], at[2] - contact.world_b[2]};
            seen[k] = std::min(seen[k], std::hypot(off[0], off[1], off[2]));
        }
    }
    for (const double off : seen) CHECK(off < 1e-5);
}

} // namespace

TEST_CASE("a falling cube is asked about when it has fallen by the slack, and its contacts fall with it") {
    Fixture f(1 / 8.0);
    for (int i = 0; i <= 40; ++i) {
        const double gap = 1 / 8.0 - i / 256.0; // sixteen steps are the slack; all of this is exact
        f.upper.position[2] = 1 + gap;
        CHECK_EQ(f.ask(), i % 17 == 0);
        // The first answer reaches 24 steps down, where the floor is 32 away. The second is asked for before the cube is eight steps near.
        if (i >= 17) check_corners(f, gap);
        for (const PrxContact& contact : f.pair.contacts()) CHECK_NEAR(contact.separation, gap, 1e-4);
    }
}

TEST_CASE("a cube that turns is asked about when its farthest point has moved by the slack") {
    Fixture f(1 / 64.0);
    for (int i = 0; i < 30; ++i) {
        const float angle = 0.01f * static_cast<float>(i); // 0.866 times 2 sin(angle / 2) is the slack at 0.0722
        f.upper.rotation[2] = std::sin(angle / 2);
        f.upper.rotation[3] = std::cos(angle / 2);
        CHECK_EQ(f.ask(), i % 8 == 0);
        check_corners(f, 1 / 64.0);
    }
}

TEST_CASE("a pair that rests or moves as one is asked about once, and keeps what the caller gave its contacts") {
    Fixture f(1 / 64.0);
    CHECK(f.ask());
    for (PrxContact& contact : f.pair.contacts()) contact.user = contact.key + 7;
    for (int i = 1; i < 20; ++i) {
        for (PrxBody* body : {&f.floor, &f.upper}) {
            body->position[0] += 1e6;
            body->position[1] -= 3e5;
        }
        f.upper.position[0] += 1e-4 * (i % 2 == 0 ? 1 : -1);
        CHECK(!f.ask());
        check_corners(f, 1 / 64.0);
        for (std::size_t k = 0; k < 4; ++k) {
            CHECK_EQ(f.pair.contacts()[k].previous, static_cast<std::int32_t>(k));
            CHECK_EQ(f.pair.contacts()[k].user, f.pair.contacts()[k].key + 7);
        }
    }
    f.pair.forget();
    CHECK(f.ask());
    CHECK_EQ(f.pair.contacts().size(), 4u);
    for (const PrxContact& contact : f.pair.contacts()) CHECK_EQ(contact.user, contact.key + 7);
    // Of another size it is another body.
    f.upper.scale = 0.25f;
    CHECK(f.ask());
    for (const PrxContact& contact : f.pair.contacts()) CHECK_EQ(contact.user, 0u);
}

TEST_CASE("bodies that are known to be apart are not asked about until they can be near") {
    Fixture f(1.0);
    CHECK(!NEED(f.pair.ask(f.batch, f.floor, f.upper, f.def, slack, f.radius(), 1.0)));
    for (int i = 0; i <= 31; ++i) { // up to 1/32 from the floor
        f.upper.position[2] = 2 - i / 32.0;
        CHECK(!f.ask());
        CHECK(f.pair.contacts().empty());
    }
    f.upper.position[2] = 1;
    CHECK(f.ask());
    check_corners(f, 0);
}

TEST_CASE("a bad question is refused, and the next one is asked") {
    Fixture f(0);
    CHECK_REFUSED(f.pair.ask(f.batch, f.floor, f.upper, f.def, -1, 1), PRX_STATUS_INVALID_ARGUMENT, "slack is -1");
    PrxContactsDef bad = f.def;
    bad.distance = NAN;
    CHECK_REFUSED(f.pair.ask(f.batch, f.floor, f.upper, bad, slack, 1), PRX_STATUS_INVALID_ARGUMENT, "distance is");
    CHECK(f.ask());
    check_corners(f, 0);
}
