#version 460
// The list of what is drawn, axis by axis and in the order of the triangles: three indices each, 3 * triangle + corner.
// Partner: query/drawing.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "meeting_params.glsl"
#include "ordered.glsl"
#include "views.glsl"
#include "drawing.glsl"
#include "clusters.glsl"

layout(std430, binding = 3) readonly buffer Ranges { ClusterRange ranges[]; };
layout(std430, binding = 4) readonly buffer State { Drawing drawing; };
layout(std430, binding = 5) readonly buffer Masks { uint masks[]; };
layout(std430, binding = 6) readonly buffer Starts { uint starts[]; };
layout(std430, binding = 7) writeonly buffer Indices { uint indices[]; };

void main()
{
    uint lane = gl_LocalInvocationID.x;
    uint run = (drawing.meeting.clusters + gl_NumWorkGroups.x - 1) / gl_NumWorkGroups.x;
    uint end = min((gl_WorkGroupID.x + 1) * run, drawing.meeting.clusters);
    for (uint c = gl_WorkGroupID.x * run; c < end; ++c)
        for (uint axis = 0; axis < 3; ++axis) {
            uvec2 mask = uvec2(masks[6 * c + 2 * axis], masks[6 * c + 2 * axis + 1]);
            uint bit = 1u << (lane % 32);
            if ((mask[lane / 32] & bit) == 0) continue;
            uint slot = starts[3 * c + axis] + (lane < 32 ? 0 : bitCount(mask.x)) + bitCount(mask[lane / 32] & (bit - 1));
            uint vertex = 3 * (ranges[c].first_triangle + lane);
            for (uint k = 0; k < 3; ++k) indices[3 * slot + k] = vertex + k;
        }
}
