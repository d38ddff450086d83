#version 460
// Contacts, sixth: the vertices that no triangle vetoed join the candidates. A kernel of its own, because triangles of other clusters have
// a say. Loops test at their end, as in contact_values.comp. Partner: query/contacts/side.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 9
#define SIDE_GROUPS(asked) min((asked).clusters, MOST_GROUPS)
#include "field.glsl"
#include "meeting.glsl"
#include "contacts.glsl"
#include "contact_work.glsl"
#include "contact_tables.glsl"

void main()
{
    take_side();
    uint at = side_group;
    do {
        ClusterRange range = ranges[work[touching_cluster_at(at)]];
        uint i = gl_LocalInvocationID.x;
        do {
            uint v = i < range.vertex_count ? cluster_vertex(range.first_vertex + i) : 0;
            bool is_own = i < range.vertex_count && owns_vertex(range.first_vertex + i);
            if (is_own && work[veto_at(v)] == 0 && uintBitsToFloat(work[value_at(v)]) <= query.distance) add_candidate(v);
            i += gl_WorkGroupSize.x;
        } while (i < range.vertex_count);
        at += side_groups;
    } while (at < touching.clusters);
}
