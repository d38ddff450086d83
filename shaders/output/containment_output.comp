#version 460
// What is known of points, as records. Partner: query/contains.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "output.glsl"
#include "frame.glsl"

layout(std430, binding = 2) readonly buffer Summaries { Summary summary; };
layout(std430, binding = 3) readonly buffer Answers { uint answers[]; };
layout(std430, binding = 4) writeonly buffer Records { OutputHead head; uint records[]; };

layout(push_constant) uniform ContainmentOutputPush {
    OutputRoom room;
    uint count;
    uint at;
    uint nodes;
    uint pixels;
} push;

void main()
{
    if (is_first()) head = note = head_of(push.room, push.count, is_whole(summary, push.nodes, push.pixels) ? 0 : INCOMPLETE);
    for (uint i = gl_GlobalInvocationID.x; i < min(push.count, push.room.capacity); i += all_lanes())
        records[i] = answers[push.at + i];
}
