#version 460
// How the volume that two meshes share changes with every vertex of one of them: the integral of the outward normal, weighted by the
// vertex's share of the place, over the part of its surface that bounds the intersection. An invocation takes a ray and adds a
// term for every end of a shared stretch that is a face of this mesh. Partner: query/gradients.rs.
//
// A pixel of area d sees d / |n.w| of a face with normal n. The rays run along all three axes in turn, and a face counts n.w * n.w for
// those along w: the counts of the three add up to one, and no term is larger than a pixel, however steep its face.
//
// Terms are added as integers of 64 bits, in any order to the same bits.
//
// axis fetch: storage
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Placed { vec4 placed[]; };
#include "triangle_corners.glsl"
#include "frame.glsl"
layout(std430, binding = 2) readonly buffer Summaries { Summary summary; };
#define HEADS 3
#define NODES 4
#include "rays.glsl"
#define COUNTS 6
#define DEPTHS 7
#define TAGS 8
#include "slots_view.glsl"
#include "crossings_walk.glsl"
#include "winding_walk.glsl"
// Three sums per vertex, in two words each.
layout(std430, binding = 5) buffer Sums { uint sums[]; };

layout(push_constant) uniform GradientsPush {
    uint mesh;
    // Where its sums start, in vertices.
    uint first;
    uint capacity;
} push;

// Of a pixel's area.
const float UNITS = 1048576.0;

void add(uint at, int value)
{
    uint low = uint(value), before = atomicAdd(sums[2 * at], low);
    int high = (value < 0 ? -1 : 0) + (before > MAX_UINT - low ? 1 : 0);
    if (high != 0) atomicAdd(sums[2 * at + 1], uint(high));
}

// The face at the end of a shared stretch (`leaves`), or at its start; coincident faces are shared by both meshes.
void add_face(uint triangle, vec2 at, bool leaves, float share, vec3 cell)
{
    uvec3 v = triangle_corners(triangle);
    vec3 a = placed[v.x].xyz, p = placed[v.y].xyz - a, q = placed[v.z].xyz - a;
    vec3 normal = cross(p * cell, q * cell);
    float size = length(normal), determinant = p.x * q.y - p.y * q.x;
    if (size <= 0.0 || determinant == 0.0) return;
    normal /= size;
    vec2 r = at - a.xy;
    vec2 yz = clamp(vec2(r.x * q.y - r.y * q.x, p.x * r.y - p.y * r.x) / determinant, vec2(0.0), vec2(1.0));
    vec3 weights = vec3(max(1.0 - yz.x - yz.y, 0.0), yz);
    weights /= weights.x + weights.y + weights.z;
    // Outwards is along the ray where the stretch ends.
    vec3 outwards = (normal.z > 0.0) == leaves ? normal : -normal;
    vec3 term = share * abs(normal.z) * outwards * UNITS;
    for (uint corner = 0; corner < 3; ++corner)
        for (uint i = 0; i < 3; ++i) add(3 * (push.first + v[corner]) + i, int(round(weights[corner] * term[i])));
}

void main()
{
    uint width = summary.frame.width, height = summary.frame.height, pixels = width * height;
    uint ray = gl_WorkGroupID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x;
    if (ray >= pixels || summary.nodes > push.capacity) return;
    uvec2 pixel = uvec2(ray % width, ray / width);
    if (any(equal(pixel, uvec2(0))) || pixel.x == width - 1 || pixel.y == height - 1) return;
    vec3 cell = 1.0 / vec3(summary.frame.scale[0], summary.frame.scale[1], summary.frame.scale[2]);
    uint mesh = push.mesh;
    WindingWalk own = walk(mesh * pixels + ray, summary.frame.from_above[mesh] == 1);
    WindingWalk other = walk((1 - mesh) * pixels + ray, summary.frame.from_above[1 - mesh] == 1);
    while (!is_over(own.at)) {
        float next_own = next_depth(own), next_other = next_depth(other);
        bool own_was = is_inside(own), other_was = is_inside(other);
        uint tag = tag_of(own.at);
        // One of them moves on in every turn, whatever the depths are: the walk ends.
        bool other_first = next_other < next_own, together = next_other == next_own;
        if (other_first || together) pass(other);
        if (!other_first) pass(own);
        bool own_turned = is_inside(own) != own_was, other_turned = is_inside(other) != other_was;
        bool was_shared = own_was && other_was, is_shared = is_inside(own) && is_inside(other);
        if (own_turned && was_shared != is_shared)
            add_face(tag & ~ENTERS, vec2(pixel), was_shared, other_turned ? 0.5 : 1.0, cell);
    }
}
