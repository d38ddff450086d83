#version 460
// The box of a mesh under a pose, from the clusters that can go beyond what `certain.comp` found to be certain: their
// vertices are looked at as `bounds.comp` does, so the answer has the same bits. Partner: query/bounds.rs.
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif
// Few, because the lanes meet for every cluster that is expanded.
#define LANES 16
// Clusters that a lane tests in a turn of the loop.
#define UNROLLED 4

#include "positions.glsl"
#include "clusters.glsl"
#include "extremes.glsl"
#include "boxes.glsl"
#include "workgroup.glsl"

layout(std430, binding = 3) readonly buffer Ranges { ClusterRange ranges[]; };
#ifdef TEXEL
layout(binding = 4) uniform usamplerBuffer vertices;
uint vertex_at(uint i) { return texelFetch(vertices, int(i)).x; }
#else
layout(std430, binding = 4) readonly buffer Vertices { uint vertices[]; };
uint vertex_at(uint i) { return vertices[i]; }
#endif

// No cluster is left in any lane's set.
const float NOBODY = 1e9;

// Whether a vertex of the cluster can lie beyond what is certain.
bool can_exceed(uint cluster, vec3 lowest, vec3 highest)
{
    vec3 low = box_min(cluster), high = box_max(cluster);
    bool inside = true;
    for (uint i = 0; i < 3; ++i) {
        vec4 row = push.rows[i];
        inside = inside && along(row, least_corner(row, low, high)) >= lowest[i]
              && along(row, greatest_corner(row, low, high)) <= highest[i];
    }
    return !inside;
}

// The first cluster of a lane's set, counted from the turn's first.
float number(uint set) { return set == 0 ? NOBODY : float(uint(findLSB(set)) * lanes() + lane()); }

void main()
{
    // What others have found so far: whatever is read, the answer reaches it. The minimum with all ones is an atomic read.
    vec3 lowest, highest;
    for (uint axis = 0; axis < 3; ++axis) {
        lowest[axis] = unordered(atomicMin(extremes[push.at + axis], 0xffffffffu));
        highest[axis] = unordered(~atomicMin(extremes[push.at + 3 + axis], 0xffffffffu));
    }
    bool found = false;
    uint run = (push.count + gl_NumWorkGroups.x - 1) / gl_NumWorkGroups.x;
    uint end = min((gl_WorkGroupID.x + 1) * run, push.count);
    for (uint base = gl_WorkGroupID.x * run; base < end; base += UNROLLED * lanes()) {
        uint mine = 0;
        for (uint k = 0; k < UNROLLED; ++k) {
            uint cluster = base + k * lanes() + lane();
            if (can_exceed(min(cluster, end - 1), lowest, highest) && cluster < end) mine |= 1u << k;
        }
        float next = workgroup_min(number(mine));
        if (next == NOBODY) continue;
        for (; next != NOBODY; next = workgroup_min(number(mine))) {
            ClusterRange range = ranges[base + uint(next)];
            for (uint i = lane(); i < range.vertex_count; i += lanes()) {
                vec3 world = world_of(load_position(vertex_at(range.first_vertex + i), push.first, push.stride));
                lowest = min(lowest, world);
                highest = max(highest, world);
            }
            if (number(mine) == next) mine &= mine - 1;
        }
        lowest = workgroup_min(lowest);
        highest = workgroup_max(highest);
        found = true;
    }
    if (found && lane() == 0) merge(lowest, highest);
}
