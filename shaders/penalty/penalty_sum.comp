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
layout(std430, binding = 7) writeonly buffer Answers { uint answers[]; };

void put(uint word, float value) { answers[query.at + word] = floatBitsToUint(value); }
void put(uint word, vec4 value) { for (uint i = 0; i < 4; ++i) put(word + i, value[i]); }

void main()
{
    if (is_idle()) return;
    PenaltySum sum = nothing();
    for (uint i = lane(); i < query.meeting.clusters * query.shares; i += lanes()) {
        if (touching[i / query.shares] == 0) continue;
        PenaltySum other = sums[i];
        sum.force_area += other.force_area;
        sum.torque_pressure += other.torque_pressure;
        sum.centroid_error += other.centroid_error;
        if (other.deepest.w > sum.deepest.w) sum.deepest = other.deepest;
        sum.inner_area += other.inner_area;
        sum.outer_area += other.outer_area;
        sum.depth_upper = max(sum.depth_upper, other.depth_upper);
        sum.depth_lower = max(sum.depth_lower, other.depth_lower);
        sum.samples += other.samples;
    }
    sum = reduced(sum);
    if (lane() != 0) return;
    put(0, sum.force_area);
    put(4, sum.torque_pressure);
    put(8, sum.centroid_error);
    put(12, sum.deepest);
    put(16, vec4(sum.inner_area, sum.outer_area, sum.depth_upper, sum.depth_lower));
    answers[query.at + 20] = sum.samples;
}
