// A rigid body and its motion: semi-implicit Euler, with angular momentum as the state, since it is what torques change.
#pragma once

#include "mesh/mesh.hpp"
#include "pose.hpp"

#include <proxel.h>

#include <array>

namespace dragons {

using Matrix = std::array<std::array<double, 3>, 3>;

// What all bodies of one shape share, for a density of 1.
struct Mass {
    double mass = 0;
    Matrix inverse_inertia{}; // in the body's frame, whose origin is the centre of mass

    explicit Mass(const cli::Mesh& centred);
};

struct Body {
    cli::Pose place;
    cli::Vec3 velocity;
    cli::Vec3 angular_momentum;
    cli::Vec3 force; // gathered during a frame
    cli::Vec3 torque;

    cli::Vec3 angular_velocity(const Mass& mass) const;
    PrxPose pose(const Mass& mass) const;
    double energy(const Mass& mass, double gravity) const;

    // First the velocities from the forces, then the places from the velocities; forces start anew.
    void advance(const Mass& mass, float gravity, float time);
};

} // namespace dragons
