// Planes as bodies: a cube at rest on one touches it with four corners, whichever way the plane faces.
#include <cmath>

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

TEST_CASE("a cube stands on planes that face any way, with its four corners") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const proxel::HalfSpace half_space = NEED(proxel::HalfSpace::of(context));
    const Shape shape = cube();
    proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
    proxel::Field field = baked(context, mesh, 16);
    PrxContactsDef def = prx_contacts_def_default();
    def.distance = 1 / 32.0f;
    const double third = 1 / 3.0, point[] = {40, -7, 1000};
    // Up, down, along an axis, aslant, and almost down, where the shortest turn is not well known.
    const double ways[][3] = {{0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {2 * third, third, -2 * third}, {1e-9, -1, 0}, {6e-4, -std::sqrt(1 - 36e-8), 0}};
    for (const auto& normal : ways) {
        for (const double gap : {1 / 64.0, -1 / 64.0}) {
            CAPTURE(normal[0]);
            CAPTURE(normal[1]);
            // Its y axis is the normal, its lower face is above the plane by the gap, and its middle is in the middle of that.
            const PrxBody below = half_space.around(normal, point, point, 1.5f);
            const auto& q = below.rotation;
            CHECK_NEAR(std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3])), 1.0, 1e-6);
            // The first and the third column of the matrix of its turn.
            const double x[] = {1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]), 2.0 * (q[0] * q[1] + q[3] * q[2]), 2.0 * (q[0] * q[2] - q[3] * q[1])};
            const double z[] = {2.0 * (q[0] * q[2] + q[3] * q[1]), 2.0 * (q[1] * q[2] - q[3] * q[0]), 1.0 - 2.0 * (q[0] * q[0] + q[1] * q[1])};
            double corner[3], centre[3];
            for (int i = 0; i < 3; ++i) {
                corner[i] = point[i] + 30 * x[i] + 50 * z[i] + gap * normal[i];
                centre[i] = corner[i] + 0.5 * (x[i] + z[i] + normal[i]);
            }
            const PrxBody plane = half_space.around(normal, point, centre, 1.5f), upper = proxel::at(proxel::body(mesh, field), corner, q);
            const proxel::Contacts found = NEED(context.contacts(plane, upper, def));
            CHECK_EQ(found.contacts.size(), 4u);
            for (const PrxContact& contact : found.contacts) {
                double height = 0;
                for (int i = 0; i < 3; ++i) {
                    CHECK_NEAR(contact.normal[i], normal[i], 1e-5);
                    height += (contact.world_a[i] - point[i]) * normal[i];
                }
                CHECK_NEAR(contact.separation, gap, 2e-5);
                CHECK_NEAR(height, 0.0, 2e-5);
            }
        }
    }
}
