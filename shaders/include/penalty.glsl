// What the kernels of penalty share: the query, and what is summed. Everything is in the field's frame. Partner:
// query/penalty/compute.rs.
struct PenaltyQuery {
    Meeting meeting;
    // Of the field's body, then of the mesh's: the velocity at the frame's origin, and the angular velocity.
    vec4 field_linear;
    vec4 field_angular;
    vec4 mesh_linear;
    vec4 mesh_angular;
    // The points that torques on the field's body and on the mesh are about; then how far places of the domain can be from them.
    vec4 centre;
    vec4 mesh_centre;
    float stiffness;
    float damping;
    float friction;
    float spacing;
    uint has_velocities;
    // Workgroups that share a cluster.
    uint shares;
    // What the errors of force and torque are told with: infinite where they were not asked for, or nothing.
    float unbounded;
    uint pad0;
};

#ifndef QUERY_BINDING
#define QUERY_BINDING 4
#endif
layout(std140, binding = QUERY_BINDING) uniform Query { PenaltyQuery query_given; };
// Once and not at each use: software devices read uniforms a lane at a time, and again in every turn of a loop.
PenaltyQuery query = query_given;

// Sums over samples, and the deepest of them.
struct PenaltySum {
    vec4 force_area;
    vec4 torque_pressure;
    // Of the points on the field's surface, weighted by area; then the bound on the pressure's error.
    vec4 centroid_error;
    // What force, torque and the torque on the mesh can be off by, at a stiffness of 1.
    vec4 errors;
    // The deepest sample and the field's value there.
    vec4 deepest;
    // Areas: surely and possibly inside.
    float inner_area;
    float outer_area;
    // No point is deeper than this, and one is at least that deep.
    float depth_upper;
    float depth_lower;
    uint samples;
    // How many lanes sampled a triangle farther apart than the spacing.
    uint coarsened;
    uint pad1;
    uint pad2;
};
