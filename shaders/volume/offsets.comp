#version 460
// From counts to places: every count becomes the sum of those before it, and the summary gets the sum of all. One workgroup,
// whose invocations have a run of rays each. Partner: query/layers.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 256) in;

#include "frame.glsl"
layout(std430, binding = 0) buffer Summaries { Summary summary; };
layout(std430, binding = 1) buffer Offsets { uint offsets[]; };

layout(push_constant) uniform OffsetsPush {
    uint capacity;
} push;

shared uint sums[256];

void main()
{
    uint rays = summary.nodes > push.capacity ? 0 : summary.frame.width * summary.frame.height;
    uint lane = gl_LocalInvocationID.x;
    uint run = (rays + 255) / 256;
    uint from = min(lane * run, rays), to = min(from + run, rays);
    uint sum = 0;
    for (uint i = from; i < to; ++i) sum += offsets[i];
    sums[lane] = sum;
    barrier();
    uint before = 0;
    for (uint i = 0; i < lane; ++i) before += sums[i];
    for (uint i = from; i < to; ++i) {
        uint count = offsets[i];
        offsets[i] = before;
        before += count;
    }
    if (lane == 255) summary.layers_found = before;
}
