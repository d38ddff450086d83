#version 460
// From counts to places: every count becomes the sum of those before it, and the summary gets the sum of all. One workgroup,
// whose invocations have a run of rays each. Partner: query/layers.rs.
#extension GL_GOOGLE_include_directive : require
#define LANES 128
// Rays in a turn of a loop, so that the largest images stay below what drivers allow: lavapipe ends loops after 65,535 turns.
#define UNROLLED 16
layout(local_size_x = LANES) in;

#include "frame.glsl"
layout(std430, binding = 0) buffer Summaries { Summary summary; };
layout(std430, binding = 1) buffer Offsets { uint offsets[]; };

layout(push_constant) uniform OffsetsPush {
    uint capacity;
} push;

shared uint sums[LANES];

void main()
{
    uint rays = summary.nodes > push.capacity ? 0 : summary.frame.width * summary.frame.height;
    uint lane = gl_LocalInvocationID.x;
    uint run = (rays + LANES - 1) / LANES;
    uint from = min(lane * run, rays), to = min(from + run, rays);
    uint sum = 0;
    for (uint i = from; i < to; i += UNROLLED)
        for (uint k = i; k < i + UNROLLED; ++k) sum += k < to ? offsets[min(k, rays - 1)] : 0;
    sums[lane] = sum;
    barrier();
    uint before = 0;
    for (uint i = 0; i < lane; ++i) before += sums[i];
    for (uint i = from; i < to; i += UNROLLED)
        for (uint k = i; k < i + UNROLLED; ++k)
            if (k < to) {
                uint count = offsets[k];
                offsets[k] = before;
                before += count;
            }
    if (lane == LANES - 1) summary.layers_found = before;
}
