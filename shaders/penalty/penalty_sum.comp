#version 460
// Penalty, last: the sums of the clusters, added in a fixed order by one workgroup. Partner: query/penalty/compute.rs.
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif
#define LANES 64
#define WORKGROUP_SUMS
#include "meeting_params.glsl"
#include "penalty.glsl"
#include "workgroup.glsl"
#include "penalty_reduce.glsl"

layout(std430, binding = 5) readonly buffer Touching { uint touching[]; };
layout(std430, binding = 6) readonly buffer Sums { PenaltySum sums[]; };
#define ANSWERS_BINDING 7
#include "penalty_answer.glsl"

void main()
{
    PenaltySum sum = nothing();
    for (uint i = lane(); i < query.meeting.clusters * query.shares; i += lanes()) {
        if (touching[i / query.shares] == 0) continue;
        PenaltySum other = sums[i];
        sum.force_area += other.force_area;
        sum.torque_pressure += other.torque_pressure;
        sum.centroid_error += other.centroid_error;
        sum.errors += other.errors;
        if (other.deepest.w > sum.deepest.w) sum.deepest = other.deepest;
        sum.inner_area += other.inner_area;
        sum.outer_area += other.outer_area;
        sum.depth_upper = max(sum.depth_upper, other.depth_upper);
        sum.depth_lower = max(sum.depth_lower, other.depth_lower);
        sum.samples += other.samples;
        sum.coarsened |= other.coarsened;
    }
    sum = reduced(sum);
    if (lane() != 0) return;
    PenaltyAnswer a;
    a.force = floats(sum.force_area.xyz);
    a.area = sum.force_area.w;
    a.torque = floats(sum.torque_pressure.xyz);
    a.depth_sum = sum.torque_pressure.w;
    a.centroid_sum = floats(sum.centroid_error.xyz);
    a.depth_sum_error = sum.centroid_error.w;
    a.deepest = floats(sum.deepest.xyz);
    a.depth = sum.deepest.w;
    a.inner_area = sum.inner_area;
    a.outer_area = sum.outer_area;
    a.depth_upper = sum.depth_upper;
    a.depth_lower = sum.depth_lower;
    a.samples = sum.samples;
    // Sums of many floats: partner query/penalty/errors.rs.
    float additions = float(query.meeting.clusters) * float(query.shares) / float(lanes()) + 64.0;
    float part = 6.1e-8 * additions, rounding = part * a.depth_sum, reach = query.centre.w, mesh_reach = query.mesh_centre.w;
    a.force_error = query.stiffness * ((1.0 + part) * sum.errors.x + rounding) + query.unbounded;
    a.torque_error = query.stiffness * ((1.0 + part) * sum.errors.y + rounding * reach) + query.unbounded;
    a.mesh_torque_error = query.stiffness * ((1.0 + part) * sum.errors.z + 2.0 * rounding * (reach + mesh_reach)) + query.unbounded;
    a.coarsened = sum.coarsened != 0 ? 1 : 0;
    answers[0] = a;
}
