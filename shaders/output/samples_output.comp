#version 460
// Samples of a field as records in the world. Partner: query/sample.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "output.glsl"
#include "sample_result.glsl"
#include "floats.glsl"

struct SampleRecord {
    float distance;
    float lower;
    float upper;
    uint in_domain;
    float direction[3];
    float normal[3];
};
layout(std430, binding = 2) readonly buffer Results { SampleResult results[]; };
layout(std430, binding = 3) writeonly buffer Records { OutputHead head; SampleRecord records[]; };

layout(push_constant) uniform SamplesOutputPush {
    OutputRoom room;
    uint count;
    float rounding; // no point moved farther when it was rounded in the field's frame
} push;

void main()
{
    if (is_first()) head = note = head_of(push.room, push.count, 0);
    for (uint i = gl_GlobalInvocationID.x; i < min(push.count, push.room.capacity); i += all_lanes()) {
        SampleResult s = results[i];
        // No distance changes by more than a point moves; the rest is the rounding of these two sums.
        float moved = push.rounding > 0.0 ? push.rounding + 2.4e-7 * (max(abs(s.lower), abs(s.upper)) + push.rounding) : 0.0;
        float lower = s.lower - moved;
        vec3 direction = turned_by(placement.a, vec(s.direction));
        records[i] = SampleRecord(s.in_domain == 1 ? s.distance : lower, lower, s.upper + moved, s.in_domain, floats(direction),
                                  floats(s.interior == 1 ? direction : vec3(0.0) - direction));
    }
}
