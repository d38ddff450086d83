#version 460
// Notes whether a position that only the engine has is no number or too large. Partner: query/pairs/search.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "pair_search.glsl"

layout(std430, binding = 0) buffer State { PairSearch state; };
layout(std430, binding = 1) readonly buffer PositionsA { uint bits_a[]; };
layout(std430, binding = 2) readonly buffer PositionsB { uint bits_b[]; };

// By bits: NaN is larger than every number.
bool is_fit(uint x, uint y, uint z)
{
    const uint without_sign = 0x7fffffffu;
    return max(max(x & without_sign, y & without_sign), z & without_sign) <= state.largest;
}

void main()
{
    uint step = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    bool fit = true;
    for (uint v = gl_GlobalInvocationID.x; v < state.unseen_a; v += step) {
        uint at = state.first_a + v * state.stride_a;
        fit = fit && is_fit(bits_a[at], bits_a[at + 1], bits_a[at + 2]);
    }
    for (uint v = gl_GlobalInvocationID.x; v < state.unseen_b; v += step) {
        uint at = state.first_b + v * state.stride_b;
        fit = fit && is_fit(bits_b[at], bits_b[at + 1], bits_b[at + 2]);
    }
    if (!fit) atomicOr(state.unfit, 1u);
}
