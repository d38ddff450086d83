#version 460
// Contacts, second: the field at the vertices of the clusters that may touch, and a clean slate for their edges and faces. Vertices of
// several clusters get the same value from each. Loops test at their end: a software device runs a body once more, with all lanes off, where the
// test comes first. Partner: query/contacts/side.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 9
#define SIDE_GROUPS(asked) min((asked).clusters, MOST_GROUPS)
#include "field.glsl"
#include "meeting.glsl"
#include "contacts.glsl"
#include "contact_work.glsl"
#include "contact_tables.glsl"

void start_vertex(uint v)
{
    vec3 p = placed(query.meeting, load_position(v, query.meeting.first, query.meeting.stride));
    work[value_at(v)] = floatBitsToUint(value_of(p));
    work[lower_at(v)] = floatBitsToUint(sample_field(p).lower);
    work[veto_at(v)] = 0;
    work[area_at(v)] = 0;
    work[home_at(v)] = NONE;
    work[parent_at(v)] = v;
}

void start_triangle(uint t)
{
    work[parent_at(face_node(t))] = face_node(t);
    work[mark_at(t)] = 0;
    for (uint k = 0; k < 3; ++k) {
        uint owner = edge_owner(3 * t + k);
        work[edge_value_at(owner)] = floatBitsToUint(INFINITE);
        work[edge_veto_at(owner)] = 0;
    }
}

void main()
{
    take_side();
    uint at = side_group;
    do {
        ClusterRange range = ranges[work[touching_cluster_at(at)]];
        uint i = gl_LocalInvocationID.x;
        do {
            if (i < range.vertex_count) start_vertex(cluster_vertex(range.first_vertex + i));
            i += gl_WorkGroupSize.x;
        } while (i < range.vertex_count);
        i = gl_LocalInvocationID.x;
        do {
            if (i < range.triangle_count) start_triangle(range.first_triangle + i);
            i += gl_WorkGroupSize.x;
        } while (i < range.triangle_count);
        at += side_groups;
    } while (at < touching.clusters);
}
