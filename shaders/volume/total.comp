#version 460
// Adds what the invocations of measure.comp summed, always in the same order: each lane every n-th, then the lanes by halves.
// Partner: query/volume.rs.
#extension GL_GOOGLE_include_directive : require
#define LANES 128
layout(local_size_x = LANES) in;

#include "frame.glsl"
layout(std430, binding = 0) buffer Summaries { Summary summary; };
layout(std430, binding = 1) readonly buffer Partials { uint partials[]; };
#include "partials.glsl"

layout(push_constant) uniform TotalPush {
    uint count;
} push;

shared float sums[SUMMED * LANES];
// The longest span of each lane: its length, and which partial it is.
shared float lengths[LANES];
shared uint longest[LANES];

float partial(uint which, uint i) { return uintBitsToFloat(partials[which * push.count + i]); }
uint pixel_of(uint i) { return partials[(SUMMED + 2) * push.count + i]; }

// Kahan's sum: the error does not grow with the number of terms.
float added(uint which)
{
    precise float sum = 0.0, lost = 0.0;
    for (uint i = gl_LocalInvocationID.x; i < push.count; i += LANES) {
        precise float term = partial(which, i) - lost;
        precise float next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    return sum;
}

// Whether the span of partial `i` comes before that of `best`: it is longer, or as long and of an earlier ray.
bool is_deeper(float length, uint i, float deepest, uint best)
{
    return length > deepest || (length == deepest && pixel_of(i) < pixel_of(best));
}

void find_longest()
{
    uint lane = gl_LocalInvocationID.x, best = min(lane, push.count - 1);
    float deepest = partial(SUMMED, best);
    for (uint i = lane + LANES; i < push.count; i += LANES) {
        float length = partial(SUMMED, i);
        if (is_deeper(length, i, deepest, best)) {
            best = i;
            deepest = length;
        }
    }
    lengths[lane] = deepest;
    longest[lane] = best;
}

void main()
{
    uint lane = gl_LocalInvocationID.x;
    for (uint which = 0; which < SUMMED; ++which) sums[which * LANES + lane] = added(which);
    find_longest();
    for (uint half_width = LANES / 2; half_width > 0; half_width /= 2) {
        barrier();
        for (uint w = lane; w < SUMMED * half_width; w += LANES) {
            uint at = w / half_width * LANES + w % half_width;
            precise float sum = sums[at] + sums[at + half_width];
            sums[at] = sum;
        }
        if (lane < half_width && is_deeper(lengths[lane + half_width], longest[lane + half_width], lengths[lane], longest[lane])) {
            lengths[lane] = lengths[lane + half_width];
            longest[lane] = longest[lane + half_width];
        }
    }
    barrier();
    if (lane == 0) summary.extent = sums[0];
    else if (lane < 4) summary.moment[lane - 1] = sums[lane * LANES];
    else if (lane < 7) summary.gradient[lane - 4] = sums[lane * LANES];
    else if (lane < 10) summary.torque[lane - 7] = sums[lane * LANES];
    else if (lane == 10) {
        uint best = longest[0];
        summary.deepest_length = lengths[0];
        summary.deepest_from = partial(SUMMED + 1, best);
        summary.deepest_pixel = pixel_of(best);
    }
}
