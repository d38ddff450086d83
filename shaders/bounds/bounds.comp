#version 460
// The box of a mesh under a pose: every invocation takes many vertices, the workgroup reduces, one lane merges into the
// answer by integer atomics on an order-preserving image of the floats, so the result does not depend on any order.
// Partner: query/bounds.rs.
//
// variant texel_subgroup: TEXEL SUBGROUP
// variant texel_shared: TEXEL
// variant storage_subgroup: SUBGROUP
// variant storage_shared:
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif
#define LANES 64

#include "positions.glsl"
#include "workgroup.glsl"

layout(std430, binding = 1) buffer Extremes { uint extremes[]; };

layout(push_constant) uniform BoundsPush {
    vec4 rows[3];
    uint vertices;
    uint first;
    uint stride;
    uint at;
} push;

uint ordered(float value)
{
    uint bits = floatBitsToUint(value);
    return (bits >> 31) == 1u ? ~bits : bits | 0x80000000u;
}

void main()
{
    if (is_idle()) return;
    vec3 lowest = vec3(uintBitsToFloat(0x7f800000u));
    vec3 highest = -lowest;
    // Each workgroup has a run of its own: neighbouring lanes read neighbours, and so does the next turn of the loop.
    uint run = (push.vertices + gl_NumWorkGroups.x - 1) / gl_NumWorkGroups.x;
    uint end = min((gl_WorkGroupID.x + 1) * run, push.vertices);
    for (uint v = gl_WorkGroupID.x * run + lane(); v < end; v += lanes()) {
        vec3 p = load_position(v, push.first, push.stride);
        vec3 world = vec3(dot(push.rows[0].xyz, p) + push.rows[0].w,
                          dot(push.rows[1].xyz, p) + push.rows[1].w,
                          dot(push.rows[2].xyz, p) + push.rows[2].w);
        lowest = min(lowest, world);
        highest = max(highest, world);
    }
    lowest = workgroup_min(lowest);
    highest = workgroup_max(highest);
    if (lane() == 0) {
        for (uint axis = 0; axis < 3; ++axis) {
            atomicMin(extremes[push.at + axis], ordered(lowest[axis]));
            // The complement, so that one fill with ones starts all six.
            atomicMin(extremes[push.at + 3 + axis], ~ordered(highest[axis]));
        }
    }
}
