#version 460
// Contacts, fourth: the vertices that no triangle vetoed join the candidates. A kernel of its own, because triangles of other clusters have
// a say. Partner: query/contacts/side.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 9
#include "field.glsl"
#include "meeting.glsl"
#include "contacts.glsl"
#include "contact_work.glsl"
#include "contact_tables.glsl"

void main()
{
    for (uint at = gl_WorkGroupID.x; at < touching.clusters; at += gl_NumWorkGroups.x) {
        ClusterRange range = ranges[touching_list[at]];
        for (uint i = gl_LocalInvocationID.x; i < range.vertex_count; i += gl_WorkGroupSize.x) {
            uint v = cluster_vertex(range.first_vertex + i);
            if (work[veto_at(v)] == 0 && uintBitsToFloat(work[value_at(v)]) <= query.distance && owns_vertex(range.first_vertex + i))
                add_candidate(v);
        }
    }
}
