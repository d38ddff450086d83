#version 460
// Penalty, first: the clusters that can penetrate. One whose middle is farther outside than the cluster reaches cannot.
// Partner: query/penalty/compute.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 7
#include "field.glsl"
#include "meeting.glsl"
#include "penalty.glsl"

layout(std430, binding = 5) writeonly buffer Touching { uint touching[]; };

void main()
{
    Meeting meeting = query.meeting;
    for (uint c = gl_GlobalInvocationID.x; c < meeting.clusters; c += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        vec4 sphere = cluster_sphere(c);
        float lower = sample_field(placed(meeting, sphere.xyz)).lower;
        touching[c] = lower <= sphere.w + placing_error(meeting, sphere) ? 1 : 0;
    }
}
