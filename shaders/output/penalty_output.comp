#version 460
// The answer of a penalty query as a record in the world. Partner: query/penalty.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 1) in;
#include "output.glsl"
#include "floats.glsl"
#include "penalty_result.glsl"

struct PenaltyRecord {
    float force[3];
    float torque[3];
    float force_sum[3];
    float torque_sum[3];
    float mesh_force[3];
    float mesh_torque[3];
    float mesh_force_sum[3];
    float mesh_torque_sum[3];
    float area;
    float area_lower;
    float area_upper;
    uint sample_count;
    float depth_sum;
    float depth_sum_error;
    float depth;
    float depth_lower;
    float depth_upper;
    float deepest[3];
    float centre[3];
    uint coarsened;
    float damping_scale;
    float force_sum_error;
    float torque_sum_error;
    float mesh_torque_sum_error;
};
layout(std430, binding = 2) readonly buffer Answers { PenaltyAnswer answers[]; };
layout(std430, binding = 3) writeonly buffer Records { OutputHead head; PenaltyRecord records[]; };

layout(push_constant) uniform PenaltyOutputPush {
    OutputRoom room;
    float field_centre[3];
    float mesh_centre[3];
} push;

void main()
{
    head = note = head_of(push.room, 1, 0);
    if (push.room.capacity == 0) return;
    PenaltyAnswer a = answers[0];
    vec3 force = turned_by(placement.a, vec(a.force)), torque = turned_by(placement.a, vec(a.torque));
    vec3 arm = placed_by(placement.a, vec(push.field_centre)) - placed_by(placement.b, vec(push.mesh_centre));
    // The reaction acts at the same points: the moment of -f about another centre.
    vec3 mesh_torque = -(torque + cross(arm, force));
    float share = a.area > 0.0 ? 1.0 / a.area : 1.0;
    PenaltyRecord r;
    r.force = floats(share * force);
    r.torque = floats(share * torque);
    r.force_sum = floats(force);
    r.torque_sum = floats(torque);
    r.mesh_force = floats(-share * force);
    r.mesh_torque = floats(share * mesh_torque);
    r.mesh_force_sum = floats(-force);
    r.mesh_torque_sum = floats(mesh_torque);
    r.area = a.area;
    r.area_lower = a.inner_area;
    r.area_upper = a.outer_area;
    r.sample_count = a.samples;
    r.depth_sum = a.depth_sum;
    r.depth_sum_error = a.depth_sum_error;
    r.depth = a.depth;
    r.depth_lower = a.depth_lower;
    r.depth_upper = a.depth_upper;
    r.deepest = floats(a.samples > 0 ? placed_by(placement.a, vec(a.deepest)) : vec3(0.0));
    r.centre = floats(a.samples > 0 ? placed_by(placement.a, share * vec(a.centroid_sum)) : vec3(0.0));
    r.coarsened = a.coarsened == 0 ? 0 : 1;
    r.damping_scale = 1.0;
    r.force_sum_error = a.force_error;
    r.torque_sum_error = a.torque_error;
    r.mesh_torque_sum_error = a.mesh_torque_error;
    records[0] = r;
}
