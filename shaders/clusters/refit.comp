#version 460
// Boxes and spheres of triangle clusters after the positions changed: a workgroup a cluster.
// Partner: query/clusters.rs; layouts: scene/mesh.rs.
//
// variant texel_subgroup: TEXEL SUBGROUP
// variant texel: TEXEL
// variant storage_subgroup: SUBGROUP
// variant storage:
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif
#define LANES 32

#include "positions.glsl"
#include "workgroup.glsl"

struct ClusterRange {
    uint first_vertex;
    uint vertex_count;
    uint first_triangle;
    uint triangle_count;
};

struct ClusterBounds {
    float center[3];
    float radius;
    float min[3];
    uint first;
    float max[3];
    uint count;
};

layout(std430, binding = 1) readonly buffer Ranges { ClusterRange ranges[]; };
#ifdef TEXEL
layout(binding = 2) uniform usamplerBuffer vertices;
uint vertex_at(uint i) { return texelFetch(vertices, int(i)).x; }
#else
layout(std430, binding = 2) readonly buffer Vertices { uint vertices[]; };
uint vertex_at(uint i) { return vertices[i]; }
#endif
layout(std430, binding = 3) writeonly buffer Bounds { ClusterBounds bounds[]; };

layout(push_constant) uniform RefitPush {
    uint clusters;
    uint first;
    uint stride;
    uint groups_per_row;
} push;

// Rounding of the distances below stays within a few units in the last place; the sphere must hold every vertex.
const float ROUND_UP = 1.0 + 1.0 / 524288.0;
// Below this, squares would vanish, and devices may flush denormal numbers to zero.
const float SMALLEST_SCALE = 1e-30;

void main()
{
    uint cluster = gl_WorkGroupID.y * push.groups_per_row + gl_WorkGroupID.x;
    if (cluster >= push.clusters || is_idle()) return;
    ClusterRange range = ranges[cluster];
    uint end = range.first_vertex + range.vertex_count;

    vec3 lowest = vec3(uintBitsToFloat(0x7f800000u));
    vec3 highest = -lowest;
    for (uint i = range.first_vertex + lane(); i < end; i += lanes()) {
        vec3 p = load_position(vertex_at(i), push.first, push.stride);
        lowest = min(lowest, p);
        highest = max(highest, p);
    }
    lowest = workgroup_min(lowest);
    highest = workgroup_max(highest);

    // Distances are taken in units of the box, so that squares neither overflow nor vanish.
    vec3 center = 0.5 * lowest + 0.5 * highest;
    vec3 half_size = max(highest - center, center - lowest);
    float scale = max(max(half_size.x, max(half_size.y, half_size.z)), SMALLEST_SCALE);
    float inverse = 1.0 / scale;
    float farthest = 0.0;
    for (uint i = range.first_vertex + lane(); i < end; i += lanes()) {
        vec3 offset = (load_position(vertex_at(i), push.first, push.stride) - center) * inverse;
        farthest = max(farthest, dot(offset, offset));
    }
    farthest = workgroup_max(vec3(farthest)).x;

    if (lane() == 0) {
        bounds[cluster].center = float[3](center.x, center.y, center.z);
        bounds[cluster].radius = scale * sqrt(farthest) * ROUND_UP + SMALLEST_SCALE;
        bounds[cluster].min = float[3](lowest.x, lowest.y, lowest.z);
        bounds[cluster].first = range.first_triangle;
        bounds[cluster].max = float[3](highest.x, highest.y, highest.z);
        bounds[cluster].count = range.triangle_count;
    }
}
