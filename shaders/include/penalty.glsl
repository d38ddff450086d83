// What the kernels of penalty share: the query, and what is summed. Everything is in the field's frame. Partner:
// query/penalty/compute.rs.
struct PenaltyQuery {
    Meeting meeting;
    // Of the field's body, then of the mesh's: the velocity at the frame's origin, and the angular velocity.
    vec4 field_linear;
    vec4 field_angular;
    vec4 mesh_linear;
    vec4 mesh_angular;
    // The point that torques are about.
    vec4 centre;
    float stiffness;
    float damping;
    float friction;
    float spacing;
    uint has_velocities;
    // Workgroups that share a cluster.
    uint shares;
    uint pad0;
    uint pad1;
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
