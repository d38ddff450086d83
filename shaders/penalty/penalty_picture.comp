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
#define ANSWERS_BINDING 8
#include "penalty_answer.glsl"

layout(push_constant) uniform PicturePush { uint tiles; } push;

shared vec4 sums[4][LANES];
shared vec4 deepest[LANES];
shared vec2 depths[LANES];

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
    // The exact integral lies between the sums of the clusters' bounds; sums of many floats lose a little.
    float drawn = sums[1][0].w;
    vec2 integral = sums[3][0].zw;
    float error = max(max(drawn - integral.x, integral.y - drawn), 0.0) + 1e-5 * (drawn + integral.y);
    PenaltyAnswer a;
    a.force = floats(sums[0][0].xyz);
    a.area = sums[0][0].w;
    a.torque = floats(sums[1][0].xyz);
    a.depth_sum = drawn;
    a.centroid_sum = floats(sums[2][0].xyz);
    a.depth_sum_error = error;
    a.deepest = floats(deepest[0].xyz);
    a.depth = deepest[0].w;
    a.inner_area = sums[3][0].x * (1.0 - 1e-5);
    a.outer_area = sums[3][0].y * (1.0 + 1e-5);
    a.depth_upper = depths[0].x;
    a.depth_lower = depths[0].y;
    a.samples = uint(sums[2][0].w);
    a.force_error = a.torque_error = a.mesh_torque_error = uintBitsToFloat(0x7f800000u);
    a.coarsened = 0;
    answers[0] = a;
}
