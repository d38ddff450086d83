// The answer of a bounds query, and where its pose takes a point. Partner: query/bounds.rs.
#include "along.glsl"

layout(std430, binding = 1) buffer Extremes { uint extremes[]; };

layout(push_constant) uniform BoundsPush {
    vec4 rows[3];
    uint count;
    uint first;
    uint stride;
    uint at;
} push;

vec3 world_of(vec3 p) { return moved_by(push.rows, p); }

#include "merge_box.glsl"
void merge(vec3 lowest, vec3 highest) { merge_box(push.at, lowest, highest); }
