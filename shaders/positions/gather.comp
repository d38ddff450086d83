#version 460
// Packs strided positions, three floats each, for the host to read. Partner: query/snapshot.rs.
//
// axis fetch: storage
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "positions.glsl"

layout(std430, binding = 1) writeonly buffer Packed { float packed_floats[]; };

layout(push_constant) uniform GatherPush {
    uint vertices;
    uint first;
    uint stride;
} push;

void main()
{
    uint step = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint v = gl_GlobalInvocationID.x; v < push.vertices; v += step) {
        vec3 p = load_position(v, push.first, push.stride);
        for (uint axis = 0; axis < 3; ++axis) packed_floats[3 * v + axis] = p[axis];
    }
}
