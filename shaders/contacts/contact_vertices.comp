#version 460
// Contacts, fourth: the vertices that no triangle vetoed join the candidates, with their first triangle and what of the area is theirs. A kernel
// of its own, because triangles of other clusters have a say. Partner: query/contacts/side.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 9
#include "field.glsl"
#include "meeting.glsl"
#include "contacts.glsl"
#include "contact_work.glsl"
#include "contact_tables.glsl"

void claim(uint triangle)
{
    uvec3 v = triangle_corners(triangle);
    vec3 values = vec3(uintBitsToFloat(work[value_at(v.x)]), uintBitsToFloat(work[value_at(v.y)]), uintBitsToFloat(work[value_at(v.z)]));
    bvec3 below = lessThanEqual(values, vec3(query.distance));
    if (!any(below)) return;
    bvec3 open = bvec3(below.x && work[veto_at(v.x)] == 0, below.y && work[veto_at(v.y)] == 0, below.z && work[veto_at(v.z)] == 0);
    if (!any(open)) return;
    // The less of a triangle is near, the less of its area counts.
    Corners t = placed_triangle(triangle);
    float share = float(uint(below.x) + uint(below.y) + uint(below.z)) / 9.0;
    float area = min(0.5 * length(cross(t.b - t.a, t.c - t.a)) * share * query.area_scale, 67108864.0);
    for (uint k = 0; k < 3; ++k) {
        if (!open[k]) continue;
        atomicAdd(work[area_at(v[k])], uint(area));
        atomicMin(work[home_at(v[k])], triangle);
    }
}

void main()
{
    for (uint at = gl_WorkGroupID.x; at < touching.clusters; at += gl_NumWorkGroups.x) {
        ClusterRange range = ranges[touching_list[at]];
        for (uint i = gl_LocalInvocationID.x; i < range.vertex_count; i += gl_WorkGroupSize.x) {
            uint v = cluster_vertex(range.first_vertex + i);
            if (work[veto_at(v)] == 0 && uintBitsToFloat(work[value_at(v)]) <= query.distance && owns_vertex(range.first_vertex + i))
                add_candidate(v);
        }
        for (uint i = gl_LocalInvocationID.x; i < range.triangle_count; i += gl_WorkGroupSize.x) claim(range.first_triangle + i);
    }
}
