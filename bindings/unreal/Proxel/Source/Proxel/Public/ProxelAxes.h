// Between Unreal's axes and units and Proxel's, both ways. Nothing of Unreal is needed here.
//
// Unreal: left-handed (X forwards, Y to the right, Z up), centimetres, and triangles whose front is where (C - A) x (B - A) points.
// Proxel: right-handed as it is used here (X forwards, Y to the left, Z up), metres, and triangles whose front is where
// (B - A) x (C - A) points. Mirroring Y does it all: indices stay as they are, since a mirror turns their winding round.
//
// A mirror image of a vector that a right hand had a part in (an angular velocity, a torque, the axis of a quaternion) is
// mirrored the other way. Masses stay, so forces are kg cm / s^2 in Unreal and newtons here.
#pragma once

#include <proxel.h>

namespace ProxelAxes {

struct Vector {
    double X, Y, Z;
};
struct Quaternion {
    double X, Y, Z, W;
};

constexpr double CentimetresPerMetre = 100.0;

constexpr Vector Scaled(Vector V, double Scale) { return {V.X * Scale, V.Y * Scale, V.Z * Scale}; }
/// A point, velocity, force or direction in the mirror. It is its own inverse, as is the next.
constexpr Vector Mirrored(Vector V) { return {V.X, -V.Y, V.Z}; }
/// An angular velocity or torque in the mirror.
constexpr Vector MirroredAxial(Vector V) { return {-V.X, V.Y, -V.Z}; }

/// Points and velocities.
constexpr Vector LengthToProxel(Vector V) { return Scaled(Mirrored(V), 1 / CentimetresPerMetre); }
constexpr Vector LengthToUnreal(Vector V) { return Scaled(Mirrored(V), CentimetresPerMetre); }
constexpr double LengthToProxel(double Length) { return Length / CentimetresPerMetre; }
constexpr double LengthToUnreal(double Length) { return Length * CentimetresPerMetre; }

/// Unit vectors.
constexpr Vector DirectionToProxel(Vector V) { return Mirrored(V); }
constexpr Vector DirectionToUnreal(Vector V) { return Mirrored(V); }

/// Radians per second.
constexpr Vector AngularVelocityToProxel(Vector V) { return MirroredAxial(V); }
constexpr Vector AngularVelocityToUnreal(Vector V) { return MirroredAxial(V); }

/// kg cm / s^2 and newtons.
constexpr Vector ForceToProxel(Vector V) { return Scaled(Mirrored(V), 1 / CentimetresPerMetre); }
constexpr Vector ForceToUnreal(Vector V) { return Scaled(Mirrored(V), CentimetresPerMetre); }

/// kg cm^2 / s^2 and newton metres.
constexpr Vector TorqueToProxel(Vector V) {
    return Scaled(MirroredAxial(V), 1 / (CentimetresPerMetre * CentimetresPerMetre));
}
constexpr Vector TorqueToUnreal(Vector V) { return Scaled(MirroredAxial(V), CentimetresPerMetre * CentimetresPerMetre); }

constexpr double VolumeToUnreal(double Volume) {
    return Volume * CentimetresPerMetre * CentimetresPerMetre * CentimetresPerMetre;
}

/// The axis is mirrored as axes are, and so is the turn about it.
constexpr Quaternion RotationToProxel(Quaternion Q) { return {-Q.X, Q.Y, -Q.Z, Q.W}; }
constexpr Quaternion RotationToUnreal(Quaternion Q) { return {-Q.X, Q.Y, -Q.Z, Q.W}; }

/// From the arrays of Proxel's structs.
constexpr Vector Read(const float (&V)[3]) { return {V[0], V[1], V[2]}; }
constexpr Vector Read(const double (&V)[3]) { return {V[0], V[1], V[2]}; }
inline void Write(Vector V, float (&To)[3]) {
    To[0] = static_cast<float>(V.X);
    To[1] = static_cast<float>(V.Y);
    To[2] = static_cast<float>(V.Z);
}

/// A pose from what Unreal says of a body.
inline PrxPose PoseToProxel(Vector Location, Quaternion Rotation, Vector Velocity = {}, Vector AngularVelocity = {}) {
    PrxPose Pose = prx_pose_identity();
    const Quaternion Turn = RotationToProxel(Rotation);
    Write(LengthToProxel(Location), Pose.position);
    Write(LengthToProxel(Velocity), Pose.linear_velocity);
    Write(AngularVelocityToProxel(AngularVelocity), Pose.angular_velocity);
    Pose.rotation[0] = static_cast<float>(Turn.X);
    Pose.rotation[1] = static_cast<float>(Turn.Y);
    Pose.rotation[2] = static_cast<float>(Turn.Z);
    Pose.rotation[3] = static_cast<float>(Turn.W);
    return Pose;
}

/// Where a body is, in double precision.
inline PrxBodyPose BodyPoseToProxel(Vector Location, Quaternion Rotation) {
    const Vector Position = LengthToProxel(Location);
    const Quaternion Turn = RotationToProxel(Rotation);
    return {{Position.X, Position.Y, Position.Z},
            {static_cast<float>(Turn.X), static_cast<float>(Turn.Y), static_cast<float>(Turn.Z), static_cast<float>(Turn.W)}};
}

}  // namespace ProxelAxes
