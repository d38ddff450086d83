#version 460
// Says what was found; and where that is not all, or where a position is no number, hands all positions that only the engine has to the
// host, which searches by itself then. Partner: query/pairs/search.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "pair_search.glsl"

struct PairSearchHead {
    // Whether all candidates are there.
    uint whole;
    uint candidates;
    uint cluster_pairs;
    uint unfit;
};

layout(std430, binding = 0) readonly buffer State { PairSearch state; };
layout(std430, binding = 1) readonly buffer PositionsA { uint bits_a[]; };
layout(std430, binding = 2) readonly buffer PositionsB { uint bits_b[]; };
layout(std430, binding = 3) writeonly buffer Head { PairSearchHead head; };
layout(std430, binding = 4) writeonly buffer Unseen { uint unseen[]; };

void main()
{
    bool whole = state.unfit == 0 && state.cluster_pairs <= state.cluster_room && state.candidates <= state.room;
    if (gl_GlobalInvocationID.x == 0) {
        head.whole = whole ? 1 : 0;
        head.candidates = state.candidates;
        head.cluster_pairs = state.cluster_pairs;
        head.unfit = state.unfit;
    }
    if (whole) return;
    uint step = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint v = gl_GlobalInvocationID.x; v < state.unseen_a; v += step) {
        uint at = state.first_a + v * state.stride_a;
        for (uint axis = 0; axis < 3; ++axis) unseen[3 * v + axis] = bits_a[at + axis];
    }
    for (uint v = gl_GlobalInvocationID.x; v < state.unseen_b; v += step) {
        uint at = state.first_b + v * state.stride_b;
        for (uint axis = 0; axis < 3; ++axis) unseen[3 * (state.unseen_a + v) + axis] = bits_b[at + axis];
    }
}
