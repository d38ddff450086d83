#version 460
// The box of a mesh under a pose: every invocation takes many vertices, the workgroup reduces, one lane merges into the
// answer by integer atomics on an order-preserving image of the floats, so the result does not depend on any order.
// Partner: query/bounds.rs.
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif
#define LANES 64
// Vertices in a turn of the loop: software devices pay as much for a turn as for a vertex.
#define UNROLLED 8

#include "positions.glsl"
#include "extremes.glsl"
#include "workgroup.glsl"

void main()
{
    vec3 lowest = vec3(uintBitsToFloat(0x7f800000u));
    vec3 highest = -lowest;
    // Each workgroup has a run of its own: neighbouring lanes read neighbours, and so does the next turn of the loop.
    uint run = (push.count + gl_NumWorkGroups.x - 1) / gl_NumWorkGroups.x;
    uint end = min((gl_WorkGroupID.x + 1) * run, push.count);
    for (uint v = gl_WorkGroupID.x * run + lane(); v < end; v += UNROLLED * lanes()) {
        // The last vertex again where there are no more: that changes nothing.
        for (uint k = 0; k < UNROLLED; ++k) {
            vec3 world = world_of(load_position(min(v + k * lanes(), end - 1), push.first, push.stride));
            lowest = min(lowest, world);
            highest = max(highest, world);
        }
    }
    lowest = workgroup_min(lowest);
    highest = workgroup_max(highest);
    if (lane() == 0) merge(lowest, highest);
}
