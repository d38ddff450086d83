#version 460
// Contacts, second: the field at the vertices of the clusters that may touch, and a clean slate for their edges and faces. Vertices of
// several clusters get the same value from each. Partner: query/contacts/side.rs.
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
            vec3 p = placed(query.meeting, load_position(v, query.meeting.first, query.meeting.stride));
            work[value_at(v)] = floatBitsToUint(value_of(p));
            work[veto_at(v)] = 0;
            work[area_at(v)] = 0;
            work[home_at(v)] = NONE;
            work[parent_at(v)] = v;
        }
        for (uint i = gl_LocalInvocationID.x; i < range.triangle_count; i += gl_WorkGroupSize.x) {
            uint t = range.first_triangle + i;
            work[parent_at(face_node(t))] = face_node(t);
            for (uint k = 0; k < 3; ++k) work[edge_veto_at(3 * t + k)] = 0;
        }
    }
}
