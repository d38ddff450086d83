#version 460
// Where the vertices of a mesh are in the frame: once, by one formula without freedom to contract, for every way of making a layered
// depth image. Partner: query/ldi.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "positions.glsl"
#include "frame.glsl"
layout(std430, binding = 1) readonly buffer Summaries { Summary summary; };
#include "grid.glsl"
layout(std430, binding = 2) writeonly buffer Placed { vec4 placed[]; };

layout(push_constant) uniform PlacePush {
    vec4 rows[3];
    uint count;
    uint first;
    uint stride;
} push;

float along(vec4 row, vec3 p)
{
    precise float value = row.x * p.x + row.y * p.y + row.z * p.z + row.w;
    return value;
}

void main()
{
    Grid grid = load_grid();
    if (grid.sides.x == 0) return;
    for (uint v = gl_GlobalInvocationID.x; v < push.count; v += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        vec3 p = load_position(v, push.first, push.stride);
        vec3 world = vec3(along(push.rows[0], p), along(push.rows[1], p), along(push.rows[2], p));
        precise vec3 place = (turned(world, grid.axis) - grid.origin) * grid.scale;
        placed[v] = vec4(place, 0.0);
    }
}
