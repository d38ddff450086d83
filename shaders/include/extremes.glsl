// The answer of a bounds query, and where a pose takes a point. Every kernel of the query computes places by this one
// function, without freedom to contract, so that they all find the same bits. Partner: query/bounds.rs.

layout(std430, binding = 1) buffer Extremes { uint extremes[]; };

layout(push_constant) uniform BoundsPush {
    vec4 rows[3];
    uint count;
    uint first;
    uint stride;
    uint at;
} push;

float along(vec4 row, vec3 p)
{
    precise float value = row.x * p.x + row.y * p.y + row.z * p.z + row.w;
    return value;
}

vec3 world_of(vec3 p) { return vec3(along(push.rows[0], p), along(push.rows[1], p), along(push.rows[2], p)); }

#include "ordered.glsl"

void merge(vec3 lowest, vec3 highest)
{
    for (uint axis = 0; axis < 3; ++axis) {
        atomicMin(extremes[push.at + axis], ordered(lowest[axis]));
        // The complement, so that one fill with ones starts all six.
        atomicMin(extremes[push.at + 3 + axis], ~ordered(highest[axis]));
    }
}
