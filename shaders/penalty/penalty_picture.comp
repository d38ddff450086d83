#version 460
// Penalty by drawing, last: the sums of all tiles, what is certain of all clusters, and the answer. One workgroup, in a fixed
// order. Partner: query/penalty/raster.rs.
#extension GL_GOOGLE_include_directive : require
#define LANES 64
layout(local_size_x = LANES) in;
#include "meeting_params.glsl"
#include "penalty.glsl"
#include "penalty_certain.glsl"

layout(std430, binding = 5) readonly buffer Touching { uint touching[]; };
layout(std430, binding = 6) readonly buffer Certain { PenaltyCertain certain[]; };
layout(std430, binding = 7) readonly buffer Tiles { vec4 tiles[]; };
layout(std430, binding = 8) writeonly buffer Answers { uint answers[]; };

layout(push_constant) uniform PicturePush { uint tiles; } push;

shared vec4 sums[4][LANES];
shared vec4 deepest[LANES];
shared vec2 depths[LANES];

void put(uint word, float value) { answers[query.at + word] = floatBitsToUint(value); }
void put(uint word, vec4 value) { for (uint i = 0; i < 4; ++i) put(word + i, value[i]); }

void main()
{
    uint lane = gl_LocalInvocationID.x;
    for (uint i = 0; i < 4; ++i) sums[i][lane] = vec4(0.0);
    deepest[lane] = vec4(0.0);
    depths[lane] = vec2(0.0);
    for (uint tile = lane; tile < push.tiles; tile += LANES)
        for (uint i = 0; i < 3; ++i) sums[i][lane] += tiles[3 * tile + i];
    for (uint c = lane; c < query.meeting.clusters; c += LANES) {
        if (touching[c] == 0) continue;
        PenaltyCertain own = certain[c];
        sums[3][lane] += vec4(own.areas, own.integrals);
        if (own.deepest.w > deepest[lane].w) deepest[lane] = own.deepest;
        depths[lane] = max(depths[lane], own.depths);
    }
    for (uint half_width = LANES / 2; half_width > 0; half_width /= 2) {
        barrier();
        if (lane >= half_width) continue;
        for (uint i = 0; i < 4; ++i) sums[i][lane] += sums[i][lane + half_width];
        if (deepest[lane + half_width].w > deepest[lane].w) deepest[lane] = deepest[lane + half_width];
        depths[lane] = max(depths[lane], depths[lane + half_width]);
    }
    if (lane != 0) return;
    put(0, sums[0][0]);
    put(4, sums[1][0]);
    // The exact integral lies between the sums of the clusters' bounds; sums of many floats lose a little.
    float drawn = sums[1][0].w;
    vec2 integral = sums[3][0].zw;
    float error = max(max(drawn - integral.x, integral.y - drawn), 0.0) + 1e-5 * (drawn + integral.y);
    put(8, vec4(sums[2][0].xyz, error));
    put(12, deepest[0]);
    put(16, vec4(sums[3][0].xy * vec2(1.0 - 1e-5, 1.0 + 1e-5), depths[0]));
    answers[query.at + 20] = uint(sums[2][0].w);
}
