#version 460
// What the box of a mesh under a pose certainly contains, by the boxes of its clusters. Every face of a cluster's box
// has a vertex on it: on the face that is best for a row, the worst place on that face is certainly reached.
// `expand.comp` then looks only at the clusters that can go further. Partner: query/bounds.rs.
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif
#define LANES 64
// Clusters in a turn of the loop.
#define UNROLLED 4

#include "clusters.glsl"
#include "extremes.glsl"
#include "boxes.glsl"
#include "workgroup.glsl"

// The worst place on the best face: all the row's worst choices but the one that matters most.
float certain(vec4 row, vec3 worst, vec3 best)
{
    vec3 gain = abs(row.xyz * (best - worst));
    bool x = gain.x >= gain.y && gain.x >= gain.z;
    bool y = !x && gain.y >= gain.z;
    return along(row, mix(worst, best, bvec3(x, y, !x && !y)));
}

void main()
{
    vec3 lowest = vec3(uintBitsToFloat(0x7f800000u));
    vec3 highest = -lowest;
    uint run = (push.count + gl_NumWorkGroups.x - 1) / gl_NumWorkGroups.x;
    uint end = min((gl_WorkGroupID.x + 1) * run, push.count);
    for (uint first = gl_WorkGroupID.x * run + lane(); first < end; first += UNROLLED * lanes()) {
        for (uint k = 0; k < UNROLLED; ++k) {
            uint c = min(first + k * lanes(), end - 1);
            vec3 low = box_min(c), high = box_max(c);
            for (uint i = 0; i < 3; ++i) {
                vec4 row = push.rows[i];
                vec3 least = least_corner(row, low, high), greatest = greatest_corner(row, low, high);
                lowest[i] = min(lowest[i], certain(row, greatest, least));
                highest[i] = max(highest[i], certain(row, least, greatest));
            }
        }
    }
    lowest = workgroup_min(lowest);
    highest = workgroup_max(highest);
    if (lane() == 0) merge(lowest, highest);
}
