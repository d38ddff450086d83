#version 460
// Where the vertices of a mesh are in the frame: once, by one formula without freedom to contract, for every way of making a layered
// depth image. The frame is made here, too; the meshes of a view are placed by the same kernel, so that all have the same bits: each by a
// dispatch of its own, or both by one. Partner: query/ldi.rs.
//
// axis meshes: each two=TWO
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#define POSITIONS_B 5
#include "positions.glsl"
#define PLACES 4
#include "mesh_places.glsl"
#include "along.glsl"
#include "frame.glsl"
#include "marks.glsl"
#include "numbers.glsl"

// What the bounds kernels wrote: three minima and three complemented maxima a mesh, as ordered integers.
layout(std430, binding = 1) readonly buffer Boxes { uint boxes[]; };
layout(std430, binding = 2) writeonly buffer Summaries { Summary summary; };
layout(std430, binding = 3) writeonly buffer Placed { vec4 placed[]; };
#ifdef TWO
layout(std430, binding = 6) writeonly buffer PlacedB { vec4 placed_b[]; };
#endif
#include "make_frame.glsl"

layout(push_constant) uniform PlacePush {
    FrameParams frame;
    // Which, where each has its own dispatch.
    uint mesh;
} push;

void put(uint vertex, vec3 place)
{
#ifdef TWO
    if (gl_WorkGroupID.z == 1) {
        placed_b[vertex] = vec4(place, 0.0);
        return;
    }
#endif
    placed[vertex] = vec4(place, 0.0);
}

void main()
{
    Frame frame = make_frame(push.frame);
    uint mesh = push.mesh + gl_WorkGroupID.z;
    if (gl_GlobalInvocationID.x == 0 && mesh == 0) summary.frame = frame;
    if (frame.width == 0) return;
    vec3 origin = vec3(frame.origin[0], frame.origin[1], frame.origin[2]);
    vec3 scale = vec3(frame.scale[0], frame.scale[1], frame.scale[2]);
    MeshPlace own = mesh_places[mesh];
    for (uint v = gl_GlobalInvocationID.x; v < own.count; v += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        vec3 world = moved_by(own.rows, load_position(v, own.first, own.stride));
        precise vec3 place = (turned(world, frame.axis) - origin) * scale;
        put(v, place);
    }
}
