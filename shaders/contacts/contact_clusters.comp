#version 460
// Contacts, first: the clusters that may come within the contact distance, by the Lipschitz bound. Partner: query/contacts/side.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 8
#include "field.glsl"
#include "meeting.glsl"
#include "contacts.glsl"

void look_at(uint c)
{
    vec4 sphere = cluster_sphere(c);
    float lower = sample_field(placed(query.meeting, sphere.xyz)).lower;
    if (!(lower <= query.ratio * sphere.w + scaled_placing_error(sphere) + query.distance)) return;
    uint slot = atomicAdd(touching.clusters, 1);
    work[touching_cluster_at(slot)] = c;
    if (slot < MOST_GROUPS) atomicAdd(commands.cluster_command[0], 1);
}

void main()
{
    query = queries[push.sides[gl_WorkGroupID.y]];
    uint c = gl_GlobalInvocationID.x;
    // The test at the end, as in contact_values.comp.
    do {
        if (c < query.meeting.clusters) look_at(c);
        c += gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    } while (c < query.meeting.clusters);
}
