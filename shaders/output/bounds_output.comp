#version 460
// The box of a mesh as a record, wide enough for every vertex at its exact place. Partner: query/bounds.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 1) in;
#include "output.glsl"
#include "ordered.glsl"
#include "floats.glsl"

struct BoundsRecord {
    float min[3];
    float max[3];
};
layout(std430, binding = 2) readonly buffer Extremes { uint extremes[6]; };
layout(std430, binding = 3) writeonly buffer Records { OutputHead head; BoundsRecord records[]; };

layout(push_constant) uniform BoundsOutputPush {
    OutputRoom room;
    uint exact; // 1 under the identity, where nothing was rounded
} push;

void main()
{
    vec3 low, high;
    for (uint i = 0; i < 3; ++i) {
        low[i] = unordered(extremes[i]);
        high[i] = unordered(~extremes[3 + i]);
    }
    // As `rounding` in bounds.rs, 10 units in the last place of the farthest vertex, and 4 more for this arithmetic in single precision.
    vec3 shift = shift_of(placement.a);
    float slack = 14.0 * 5.9604645e-8 * (length(max(abs(low), abs(high)) + abs(shift)) + length(shift)) + 1.1754944e-38;
    if (push.exact == 1) slack = 0.0;
    head = note = head_of(push.room, 1, 0);
    if (push.room.capacity > 0) records[0] = BoundsRecord(floats(low - slack), floats(high + slack));
}
