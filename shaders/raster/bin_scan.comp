#version 460
// Where the triangles of each cluster and axis start in the list of what is drawn, and the draw commands: one workgroup counts in the
// order of the clusters, so that the list is the same every time. Partner: query/drawing.rs.
#extension GL_GOOGLE_include_directive : require
#define LANES 64
layout(local_size_x = LANES) in;
#include "meeting_params.glsl"
#include "ordered.glsl"
#include "views.glsl"
#include "drawing.glsl"

layout(std430, binding = 4) buffer State { Drawing drawing; };
layout(std430, binding = 5) readonly buffer Masks { uint masks[]; };
layout(std430, binding = 6) writeonly buffer Starts { uint starts[]; };

shared uvec3 before[LANES + 1];

uvec3 count(uint c)
{
    return uvec3(bitCount(masks[6 * c]) + bitCount(masks[6 * c + 1]), bitCount(masks[6 * c + 2]) + bitCount(masks[6 * c + 3]),
                 bitCount(masks[6 * c + 4]) + bitCount(masks[6 * c + 5]));
}

void main()
{
    uint lane = gl_LocalInvocationID.x;
    uint run = (drawing.meeting.clusters + LANES - 1) / LANES;
    uint begin = min(lane * run, drawing.meeting.clusters), end = min(begin + run, drawing.meeting.clusters);
    uvec3 own = uvec3(0);
    for (uint c = begin; c < end; ++c) own += count(c);
    before[lane + 1] = own;
    barrier();
    if (lane == 0) {
        before[0] = uvec3(0);
        for (uint i = 1; i <= LANES; ++i) before[i] += before[i - 1];
    }
    barrier();
    uvec3 total = before[LANES];
    uvec3 first = uvec3(0, total.x, total.x + total.y);
    if (lane < 3) {
        uint at = DRAW_WORDS * lane;
        drawing.draws[at] = 3 * total[lane];
        drawing.draws[at + 1] = 1;
        drawing.draws[at + 2] = drawing.first_index + 3 * first[lane];
        drawing.draws[at + 3] = 0;
        drawing.draws[at + 4] = 0;
    }
    uvec3 at = first + before[lane];
    for (uint c = begin; c < end; ++c) {
        for (uint axis = 0; axis < 3; ++axis) starts[3 * c + axis] = at[axis];
        at += count(c);
    }
}
