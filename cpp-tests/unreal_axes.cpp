// Unreal's axes and centimetres against Proxel's: what physics says must not depend on which of them it is said in.
#include <ProxelAxes.h>

#include <random>

#include "test.hpp"

using namespace ProxelAxes;

namespace {

constexpr double tolerance = 1e-12;

Vector cross(Vector a, Vector b) { return {a.Y * b.Z - a.Z * b.Y, a.Z * b.X - a.X * b.Z, a.X * b.Y - a.Y * b.X}; }
Vector sum(Vector a, Vector b) { return {a.X + b.X, a.Y + b.Y, a.Z + b.Z}; }
double dot(Vector a, Vector b) { return a.X * b.X + a.Y * b.Y + a.Z * b.Z; }

/// The textbook's formula, which is the same for either hand.
Vector rotated(Quaternion q, Vector v) {
    const Vector axis{q.X, q.Y, q.Z}, t = Scaled(cross(axis, v), 2);
    return sum(sum(v, Scaled(t, q.W)), cross(axis, t));
}
Quaternion product(Quaternion a, Quaternion b) {
    return {a.W * b.X + a.X * b.W + a.Y * b.Z - a.Z * b.Y, a.W * b.Y - a.X * b.Z + a.Y * b.W + a.Z * b.X,
            a.W * b.Z + a.X * b.Y - a.Y * b.X + a.Z * b.W, a.W * b.W - a.X * b.X - a.Y * b.Y - a.Z * b.Z};
}

bool same(Vector a, Vector b) {
    const double scale = 1 + std::fabs(a.X) + std::fabs(a.Y) + std::fabs(a.Z);
    return std::fabs(a.X - b.X) <= tolerance * scale && std::fabs(a.Y - b.Y) <= tolerance * scale &&
           std::fabs(a.Z - b.Z) <= tolerance * scale;
}

std::mt19937 generator(7);
double number() { return std::uniform_real_distribution<double>(-1000, 1000)(generator); }
Vector vector() { return {number(), number(), number()}; }
Quaternion turn() {
    const Quaternion q{number(), number(), number(), number()};
    const double length = std::sqrt(q.X * q.X + q.Y * q.Y + q.Z * q.Z + q.W * q.W);
    return {q.X / length, q.Y / length, q.Z / length, q.W / length};
}

TEST_CASE("a metre is a hundred centimetres") {
    CHECK(same(LengthToProxel(Vector{100, 200, 300}), {1, -2, 3}));
    CHECK(same(LengthToUnreal(Vector{1, 0, 0}), {100, 0, 0}));
    CHECK_EQ(LengthToProxel(250.0), 2.5);
    // One newton accelerates a kilogram by a metre a second, which is a hundred centimetres.
    CHECK(same(ForceToUnreal({1, 0, 0}), {100, 0, 0}));
    CHECK(same(TorqueToUnreal({0, 1, 0}), {0, 10000, 0}));
    CHECK_EQ(VolumeToUnreal(1), 1e6);
}

TEST_CASE("there and back") {
    for (int i = 0; i < 1000; ++i) {
        const Vector v = vector();
        CHECK(same(LengthToUnreal(LengthToProxel(v)), v));
        CHECK(same(DirectionToUnreal(DirectionToProxel(v)), v));
        CHECK(same(AngularVelocityToUnreal(AngularVelocityToProxel(v)), v));
        CHECK(same(ForceToUnreal(ForceToProxel(v)), v));
        CHECK(same(TorqueToUnreal(TorqueToProxel(v)), v));
        const Quaternion q = turn(), back = RotationToUnreal(RotationToProxel(q));
        CHECK((q.X == back.X && q.Y == back.Y && q.Z == back.Z && q.W == back.W));
    }
}

TEST_CASE("hands are exchanged") {
    // Forwards, right, up is left-handed in Unreal; its mirror image is right-handed.
    const Vector forwards = DirectionToProxel({1, 0, 0}), right = DirectionToProxel({0, 1, 0}), up = DirectionToProxel({0, 0, 1});
    CHECK_EQ(dot(cross(forwards, right), up), -1.0);
    CHECK(same(right, {0, -1, 0}));
    for (int i = 0; i < 1000; ++i) {
        // A product of two ordinary vectors is an axial one.
        const Vector a = vector(), b = vector();
        CHECK(same(cross(DirectionToProxel(a), DirectionToProxel(b)), MirroredAxial(cross(a, b))));
        // Torque is lever times force, whoever computes it.
        CHECK(same(cross(LengthToProxel(a), ForceToProxel(b)), TorqueToProxel(cross(a, b))));
    }
}

TEST_CASE("rotations turn the same things") {
    // A quarter turn about Unreal's Z takes forwards to the right.
    const double half = std::sqrt(0.5);
    const Quaternion yaw{0, 0, half, half};
    CHECK(same(rotated(yaw, {1, 0, 0}), {0, 1, 0}));
    CHECK(same(rotated(RotationToProxel(yaw), DirectionToProxel({1, 0, 0})), DirectionToProxel({0, 1, 0})));
    for (int i = 0; i < 1000; ++i) {
        const Quaternion p = turn(), q = turn();
        const Vector v = vector();
        CHECK(same(rotated(RotationToProxel(q), LengthToProxel(v)), LengthToProxel(rotated(q, v))));
        const Quaternion both = RotationToProxel(product(p, q)), each = product(RotationToProxel(p), RotationToProxel(q));
        CHECK_NEAR(both.X, each.X, tolerance);
        CHECK_NEAR(both.Y, each.Y, tolerance);
        CHECK_NEAR(both.Z, each.Z, tolerance);
        CHECK_NEAR(both.W, each.W, tolerance);
    }
}

TEST_CASE("motion and power agree") {
    for (int i = 0; i < 1000; ++i) {
        const Vector velocity = vector(), spin = vector(), lever = vector(), force = vector(), torque = vector();
        // The velocity of a point of a body.
        CHECK(same(LengthToProxel(sum(velocity, cross(spin, lever))),
                   sum(LengthToProxel(velocity), cross(AngularVelocityToProxel(spin), LengthToProxel(lever)))));
        // Power: kg cm^2 / s^3 against watts.
        const double unreal = dot(force, velocity) + dot(torque, spin);
        const double watts = dot(ForceToProxel(force), LengthToProxel(velocity)) + dot(TorqueToProxel(torque), AngularVelocityToProxel(spin));
        CHECK_NEAR(watts * 1e4, unreal, 1e-12 * 1e7);
    }
}

TEST_CASE("poses place points") {
    for (int i = 0; i < 100; ++i) {
        const Vector location = vector(), local = vector();
        const Quaternion q = turn();
        const PrxPose pose = PoseToProxel(location, q, {1, 2, 3}, {4, 5, 6});
        const Quaternion r{pose.rotation[0], pose.rotation[1], pose.rotation[2], pose.rotation[3]};
        const Vector there = sum(rotated(r, LengthToProxel(local)), Read(pose.position));
        const Vector truth = LengthToProxel(sum(rotated(q, local), location));
        CHECK_NEAR(there.X, truth.X, 1e-4);
        CHECK_NEAR(there.Y, truth.Y, 1e-4);
        CHECK_NEAR(there.Z, truth.Z, 1e-4);
        CHECK_NEAR(pose.linear_velocity[1], -0.02, 1e-9);
        CHECK_EQ(pose.angular_velocity[0], -4.0f);
        CHECK_EQ(pose.angular_velocity[1], 5.0f);
    }
}

}  // namespace
