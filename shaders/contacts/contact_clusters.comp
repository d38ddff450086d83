#version 460
// Contacts, first: the clusters that may come within the contact distance, by the Lipschitz bound. Partner: query/contacts/side.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 8
#include "field.glsl"
#include "meeting.glsl"
#include "contacts.glsl"

// Every device allows this many workgroups; beyond it, each takes several clusters.
const uint MAX_GROUPS = 65535;

void main()
{
    for (uint c = gl_GlobalInvocationID.x; c < query.meeting.clusters; c += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        vec4 sphere = cluster_sphere(c);
        float lower = sample_field(placed(query.meeting, sphere.xyz)).lower;
        if (!(lower <= query.ratio * sphere.w + scaled_placing_error(sphere) + query.distance)) continue;
        uint slot = atomicAdd(touching.clusters, 1);
        touching_list[slot] = c;
        if (slot < MAX_GROUPS) atomicAdd(touching.cluster_command[0], 1);
    }
}
