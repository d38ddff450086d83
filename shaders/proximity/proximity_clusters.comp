#version 460
// Proximity, first: the field at the middle of each cluster's sphere bounds it over the whole cluster, because a distance
// changes by no more than one moves. Partner: query/proximity/compute.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 7
#include "field.glsl"
#include "meeting.glsl"
#include "proximity.glsl"

// For each cluster its lower bound, and the smallest one of its triangles once they were looked at.
layout(std430, binding = 5) buffer Bounds { uvec2 bounds[]; };

void main()
{
    Meeting meeting = query.meeting;
    uint ceiling = 0xffffffffu;
    for (uint c = gl_GlobalInvocationID.x; c < meeting.clusters; c += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        vec4 sphere = cluster_sphere(c);
        float slack = placing_error(meeting, sphere);
        bounds[c] = uvec2(ordered(sample_field(placed(meeting, sphere.xyz)).lower - sphere.w - slack), 0xffffffffu);
        // Any point of the surface will do for an upper bound.
        uint vertex = index_at(3 * ranges[c].first_triangle);
        vec3 p = placed(meeting, load_position(vertex, meeting.first, meeting.stride));
        ceiling = min(ceiling, ordered(field_upper(sample_field(p), p) + slack));
    }
    atomicMin(query.ceiling, ceiling);
}
