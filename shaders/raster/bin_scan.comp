#version 460
// Where the triangles of each cluster and axis start in the list of what is drawn, and the draw commands: one workgroup counts in the
// order of the clusters, a tile of them at a time, so that the list is the same every time. Partner: query/drawing.rs.
#extension GL_GOOGLE_include_directive : require
#define LANES 128
#define SCANNED uvec3
layout(local_size_x = LANES) in;
#include "meeting_params.glsl"
#include "ordered.glsl"
#include "views.glsl"
#include "drawing.glsl"
#include "scan.glsl"

layout(std430, binding = 4) buffer State { Drawing drawing; };
layout(std430, binding = 5) readonly buffer Masks { uint masks[]; };
layout(std430, binding = 6) writeonly buffer Starts { uint starts[]; };

uvec3 count(uint c)
{
    return uvec3(bitCount(masks[6 * c]) + bitCount(masks[6 * c + 1]), bitCount(masks[6 * c + 2]) + bitCount(masks[6 * c + 3]),
                 bitCount(masks[6 * c + 4]) + bitCount(masks[6 * c + 5]));
}

void main()
{
    uint lane = gl_LocalInvocationID.x, clusters = drawing.meeting.clusters;
    uvec3 own = uvec3(0), total;
    for (uint c = lane; c < clusters; c += LANES) own += count(c);
    scan_before(own, total);
    uvec3 first = uvec3(0, total.x, total.x + total.y);
    if (lane < 3) {
        uint at = DRAW_WORDS * lane;
        drawing.draws[at] = 3 * total[lane];
        drawing.draws[at + 1] = 1;
        drawing.draws[at + 2] = drawing.first_index + 3 * first[lane];
        drawing.draws[at + 3] = 0;
        drawing.draws[at + 4] = 0;
    }
    for (uint tile = 0; tile < clusters; tile += LANES) {
        uint c = tile + lane;
        uvec3 here = c < clusters ? count(min(c, clusters - 1)) : uvec3(0), all;
        uvec3 at = first + scan_before(here, all);
        if (c < clusters)
            for (uint axis = 0; axis < 3; ++axis) starts[3 * c + axis] = at[axis];
        first += all;
    }
}
