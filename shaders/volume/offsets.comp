#version 460
// From counts to places: every count becomes the sum of those before it, and the summary gets the sum of all. One workgroup goes
// through them from tile to tile. Partner: query/layers.rs.
#extension GL_GOOGLE_include_directive : require
#define LANES 128
// Rays of a lane in a tile. The largest images stay below the turns that drivers allow a loop: lavapipe ends it after 65,535.
#define RUN 16
#define SCANNED uint
layout(local_size_x = LANES) in;

#include "frame.glsl"
#include "scan.glsl"
layout(std430, binding = 0) buffer Summaries { Summary summary; };
layout(std430, binding = 1) buffer Offsets { uint offsets[]; };

layout(push_constant) uniform OffsetsPush {
    uint capacity;
} push;

void main()
{
    uint rays = summary.nodes > push.capacity ? 0 : summary.frame.width * summary.frame.height;
    uint before = 0;
    for (uint tile = 0; tile < rays; tile += LANES * RUN) {
        uint from = tile + gl_LocalInvocationID.x * RUN;
        uint counts[RUN], sum = 0, total;
        for (uint k = 0; k < RUN; ++k) {
            counts[k] = from + k < rays ? offsets[min(from + k, rays - 1)] : 0;
            sum += counts[k];
        }
        uint at = before + scan_before(sum, total);
        for (uint k = 0; k < RUN; ++k) {
            if (from + k < rays) offsets[from + k] = at;
            at += counts[k];
        }
        before += total;
    }
    if (gl_LocalInvocationID.x == 0) summary.layers_found = before;
}
