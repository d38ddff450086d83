#version 460
// Boxes and spheres of triangle clusters after the positions changed: a workgroup takes a run of clusters, one after the other.
// Partner: query/clusters.rs; layouts: scene/mesh.rs.
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif
#define LANES 16
// Vertices that a lane keeps in registers; six times eight lanes hold most clusters of 64 triangles.
#define HELD 6

#include "positions.glsl"
#include "clusters.glsl"
#include "floats.glsl"
#include "workgroup.glsl"

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
} push;

// Rounding of the distances below stays within a few units in the last place; the sphere must hold every vertex.
const float ROUND_UP = 1.0 + 1.0 / 524288.0;
// Below this, squares would vanish, and devices may flush denormal numbers to zero.
const float SMALLEST_SCALE = 1e-30;

vec3 position_at(uint i) { return load_position(vertex_at(i), push.first, push.stride); }

void refit(uint cluster)
{
    ClusterRange range = ranges[cluster];
    uint end = range.first_vertex + range.vertex_count;

    // The first vertices stay in registers for the second look; most clusters have no others. Where there are fewer, the
    // last one again changes nothing.
    vec3 held[HELD];
    vec3 lowest = vec3(uintBitsToFloat(0x7f800000u));
    vec3 highest = -lowest;
    for (uint k = 0; k < HELD; ++k) {
        held[k] = position_at(min(range.first_vertex + k * lanes() + lane(), end - 1));
        lowest = min(lowest, held[k]);
        highest = max(highest, held[k]);
    }
    for (uint i = range.first_vertex + HELD * lanes() + lane(); i < end; i += lanes()) {
        vec3 p = position_at(i);
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
    float least = 0.0;
    for (uint k = 0; k < HELD; ++k) {
        vec3 offset = (held[k] - center) * inverse;
        least = min(least, -dot(offset, offset));
    }
    for (uint i = range.first_vertex + HELD * lanes() + lane(); i < end; i += lanes()) {
        vec3 offset = (position_at(i) - center) * inverse;
        least = min(least, -dot(offset, offset));
    }
    float farthest = -workgroup_min(least);

    if (lane() == 0) {
        bounds[cluster].center = floats(center);
        bounds[cluster].radius = scale * sqrt(farthest) * ROUND_UP + SMALLEST_SCALE;
        bounds[cluster].min = floats(lowest);
        bounds[cluster].first = range.first_triangle;
        bounds[cluster].max = floats(highest);
        bounds[cluster].count = range.triangle_count;
    }
}

void main()
{
    uint run = (push.clusters + gl_NumWorkGroups.x - 1) / gl_NumWorkGroups.x;
    uint end = min((gl_WorkGroupID.x + 1) * run, push.clusters);
    for (uint cluster = gl_WorkGroupID.x * run; cluster < end; ++cluster) refit(cluster);
}
