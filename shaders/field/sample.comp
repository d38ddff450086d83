#version 460
// Distances, certificates and directions at many points. Partner: query/sample.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "floats.glsl"

#include "sample_result.glsl"

layout(std430, binding = 0) readonly buffer Points { float points[]; };
layout(std430, binding = 1) writeonly buffer Results { SampleResult results[]; };
#define FIELD_BINDING 2
#include "field.glsl"

layout(push_constant) uniform SamplePush {
    uint count;
} push;

void main()
{
    uint run = (push.count + gl_NumWorkGroups.x - 1) / gl_NumWorkGroups.x;
    uint end = min((gl_WorkGroupID.x + 1) * run, push.count);
    for (uint i = gl_WorkGroupID.x * run + gl_LocalInvocationID.x; i < end; i += gl_WorkGroupSize.x) {
        vec3 p = vec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
        FieldSample s = sample_field(p);
        SampleResult r;
        r.distance = s.distance;
        r.lower = s.lower;
        r.upper = s.upper;
        r.in_domain = s.in_domain ? 1 : 0;
        r.direction = floats(towards_surface(s, p));
        r.interior = s.interior ? 1 : 0;
        results[i] = r;
    }
}
