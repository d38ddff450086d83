#version 460
// Takes a layer that a pass has drawn into the lists of the rays. Where anything was in it, the next pass draws too. Partner:
// query/ldi/generators.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 8, local_size_y = 8) in;

#include "frame.glsl"
layout(std430, binding = 0) buffer Summaries { Summary summary; };
#define HEADS 1
#define NODES 2
#include "rays.glsl"
#define COUNTS 5
#define DEPTHS 6
#define TAGS 7
#include "slots.glsl"
layout(binding = 3) uniform usampler2D layer;
// VkDrawIndirectCommand for every pass.
layout(std430, binding = 4) buffer Commands { uint commands[]; };

layout(push_constant) uniform CollectPush {
    uint mesh;
    uint next;
    uint capacity;
} push;
#include "add_crossing.glsl"

void main()
{
    uvec2 pixel = gl_GlobalInvocationID.xy;
    uint width = summary.frame.width, height = summary.frame.height;
    if (pixel.x >= width || pixel.y >= height) return;
    uvec2 crossing = texelFetch(layer, ivec2(pixel), 0).xy;
    if (crossing.y == MAX_UINT) return;
    add_crossing((push.mesh * height + pixel.y) * width + pixel.x, uintBitsToFloat(crossing.x), crossing.y);
    // The number of instances.
    atomicOr(commands[4 * push.next + 1], 1);
}
