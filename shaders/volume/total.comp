#version 460
// Adds what the invocations of measure.comp summed, always in the same order: a lane a sum. Partner: query/volume.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 16) in;

#include "frame.glsl"
layout(std430, binding = 0) buffer Summaries { Summary summary; };
layout(std430, binding = 1) readonly buffer Partials { uint partials[]; };
#include "partials.glsl"

layout(push_constant) uniform TotalPush {
    uint count;
} push;

float partial(uint which, uint i) { return uintBitsToFloat(partials[which * push.count + i]); }

// Kahan's sum: the error does not grow with the number of terms.
float added(uint which)
{
    precise float sum = 0.0, lost = 0.0;
    for (uint i = 0; i < push.count; ++i) {
        precise float term = partial(which, i) - lost;
        precise float next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    return sum;
}

void find_deepest()
{
    uint best = 0;
    for (uint i = 1; i < push.count; ++i) {
        float length = partial(SUMMED, i), longest = partial(SUMMED, best);
        uint pixel = partials[(SUMMED + 2) * push.count + i], other = partials[(SUMMED + 2) * push.count + best];
        if (length > longest || (length == longest && pixel < other)) best = i;
    }
    summary.deepest_length = partial(SUMMED, best);
    summary.deepest_from = partial(SUMMED + 1, best);
    summary.deepest_pixel = partials[(SUMMED + 2) * push.count + best];
}

void main()
{
    uint lane = gl_LocalInvocationID.x;
    float sum = lane < SUMMED ? added(lane) : 0.0;
    if (lane == 0) summary.extent = sum;
    else if (lane < 4) summary.moment[lane - 1] = sum;
    else if (lane < 7) summary.gradient[lane - 4] = sum;
    else if (lane < 10) summary.torque[lane - 7] = sum;
    else if (lane == 10) find_deepest();
}
