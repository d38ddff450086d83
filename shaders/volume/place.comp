#version 460
// Where the vertices of a mesh are in the frame: once, by one formula without freedom to contract, for every way of making a layered
// depth image. The frame is made here, too; the meshes of a view are placed by the same kernel, so that all have the same bits.
// Partner: query/ldi.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "positions.glsl"
#include "frame.glsl"
#include "marks.glsl"
#include "numbers.glsl"

// What the bounds kernels wrote: three minima and three complemented maxima a mesh, as ordered integers.
layout(std430, binding = 1) readonly buffer Boxes { uint boxes[]; };
layout(std430, binding = 2) writeonly buffer Summaries { Summary summary; };
layout(std430, binding = 3) writeonly buffer Placed { vec4 placed[]; };
#include "make_frame.glsl"

layout(push_constant) uniform PlacePush {
    vec4 rows[3];
    uint count;
    uint first;
    uint stride;
    uint mesh;
    FrameParams frame;
} push;

float along(vec4 row, vec3 p)
{
    precise float value = row.x * p.x + row.y * p.y + row.z * p.z + row.w;
    return value;
}

void main()
{
    Frame frame = make_frame(push.frame);
    if (gl_GlobalInvocationID.x == 0 && push.mesh == 0) summary.frame = frame;
    if (frame.width == 0) return;
    vec3 origin = vec3(frame.origin[0], frame.origin[1], frame.origin[2]);
    vec3 scale = vec3(frame.scale[0], frame.scale[1], frame.scale[2]);
    for (uint v = gl_GlobalInvocationID.x; v < push.count; v += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        vec3 p = load_position(v, push.first, push.stride);
        vec3 world = vec3(along(push.rows[0], p), along(push.rows[1], p), along(push.rows[2], p));
        precise vec3 place = (turned(world, frame.axis) - origin) * scale;
        placed[v] = vec4(place, 0.0);
    }
}
