#version 460
// Stretches of rays inside both of two meshes: the pixelwise intersection of two layered depth images (Heidelberger et al. 2003, section
// 2.3), with the triangles that bound each. The first variant counts them for each ray, the second writes them where offsets.comp says.
// An invocation takes every n-th ray. Partner: query/layers.rs.
//
// axis pass: count=COUNT write
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "frame.glsl"
layout(std430, binding = 0) readonly buffer Summaries { Summary summary; };
#define HEADS 1
#define NODES 2
#include "rays.glsl"
#define COUNTS 4
#define DEPTHS 5
#define TAGS 6
#include "slots_view.glsl"
#include "crossings_walk.glsl"
#include "winding_walk.glsl"
layout(std430, binding = 3) buffer Offsets { uint offsets[]; };
#ifndef COUNT
#include "layer.glsl"
layout(std430, binding = 7) writeonly buffer Layers { Layer layers[]; };
#endif

layout(push_constant) uniform SharedLayersPush {
    uint capacity;
    uint room;
} push;

// A stretch, and the triangles at its ends; the highest bit says that a triangle is of the second mesh.
void write_layer(uint at, float from, float to, uint enters, uint leaves, int winding, uint ray)
{
#ifndef COUNT
    if (at >= push.room) return;
    layers[at].from = from;
    layers[at].to = to;
    layers[at].enters = enters;
    layers[at].leaves = leaves;
    layers[at].winding = winding;
    layers[at].pixel = ray;
#endif
}

// Writes the stretches of a ray from `at` on; gives how many there are.
uint take(uint ray, uint pixels, uint at)
{
    WindingWalk a = walk(ray, summary.frame.from_above[0] == 1), b = walk(pixels + ray, summary.frame.from_above[1] == 1);
    uint found = 0, enters = 0;
    int extreme = 0;
    float from = 0.0;
    bool inside = false;
    // One of them moves on in every turn: the walk ends.
    while (!is_over(a.at) || !is_over(b.at)) {
        bool first = next_depth(a) <= next_depth(b);
        float depth = first ? next_depth(a) : next_depth(b);
        uint triangle = first ? tag_of(a.at) & ~ENTERS : tag_of(b.at) | ENTERS;
        if (first) pass(a);
        else pass(b);
        int winding = a.winding * b.winding;
        if ((winding != 0) != inside) {
            if (inside && depth > from) {
                write_layer(at + found, from, depth, enters, triangle, extreme, ray);
                ++found;
            }
            inside = !inside;
            from = depth;
            enters = triangle;
            extreme = winding;
        }
        if (abs(winding) > abs(extreme)) extreme = winding;
    }
    return found;
}

void main()
{
    uint width = summary.frame.width, height = summary.frame.height, pixels = width * height;
    uint rays = summary.nodes > push.capacity ? 0 : pixels;
    uint lane = gl_GlobalInvocationID.x, lanes = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint ray = lane; ray < rays; ray += lanes) {
        // The border lies outside of what the boxes share.
        uint column = ray % width, row = ray / width;
        bool beyond = column == 0 || row == 0 || column == width - 1 || row == height - 1;
        bool both = !beyond && count_of(ray) > 0 && count_of(pixels + ray) > 0;
#ifdef COUNT
        offsets[ray] = both ? take(ray, pixels, 0) : 0;
#else
        if (both) take(ray, pixels, offsets[ray]);
#endif
    }
}
