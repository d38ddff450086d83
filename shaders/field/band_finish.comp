#version 460
// Squared distances and crossings become signed distances: a lane a column. Lanes side by side hold columns side by side.
// Partner: query/band.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "band_push.glsl"
layout(std430, binding = 0) buffer Values { float values[]; };
layout(std430, binding = 1) readonly buffer Crossings { int crossings[]; };

void main()
{
    uint column = gl_WorkGroupID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x;
    if (column >= push.nodes[0] * push.nodes[2]) return;
    uint x = column % push.nodes[0];
    uint z = column / push.nodes[0];
    uint at = z * push.nodes[1] * push.nodes[0] + x;
    int winding = 0;
    for (uint y = 0; y < push.nodes[1]; ++y, at += push.nodes[0]) {
        winding += crossings[at];
        float distance = min(sqrt(values[at]) * push.cell, push.band);
        values[at] = winding != 0 ? -distance : distance;
    }
}
