// Where a body is: a rotation, then a translation.
#pragma once

#include "vec3.hpp"

namespace cli {

struct Pose {
    Vec3 translation;
    Vec3 turn;           // vector part of the unit quaternion
    float scalar = 1.0f; // scalar part of the unit quaternion
};

inline Vec3 rotate(const Pose& pose, Vec3 v) {
    const Vec3 t = 2.0f * cross(pose.turn, v);
    return v + pose.scalar * t + cross(pose.turn, t);
}

inline Vec3 place(const Pose& pose, Vec3 p) { return rotate(pose, p) + pose.translation; }

} // namespace cli
