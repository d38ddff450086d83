#version 460
// Stretches of rays: those inside the mesh, or those where entries and exits are out of order. The first variant counts them for
// each ray, the second writes them where offsets.comp says. An invocation takes every n-th ray. Partner: query/layers.rs.
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
layout(std430, binding = 3) buffer Offsets { uint offsets[]; };
#ifndef COUNT
#include "layer.glsl"
layout(std430, binding = 7) writeonly buffer Layers { Layer layers[]; };
#endif

layout(push_constant) uniform LayersPush {
    uint capacity;
    uint room;
    // 1: stretches that the mesh winds around otherwise than once (Heidelberger et al. 2004, as in Teschner et al. 2005, section 6).
    uint self_overlaps;
} push;

// Stretches of one kind are one layer: inside; or folded over, and turned inside out.
uint kind_of(int winding) { return push.self_overlaps == 0 ? (winding != 0 ? 1 : 0) : winding > 1 ? 1 : winding < 0 ? 2 : 0; }

// Where the stretches of a ray go, and how many they are: offsets.comp is between.
uint place_of(uint ray)
{
#ifdef COUNT
    return 0;
#else
    return offsets[ray];
#endif
}
void set_count(uint ray, uint count)
{
#ifdef COUNT
    offsets[ray] = count;
#endif
}

void write_layer(uint at, float from, float to, uint enters, uint leaves, int winding, uint pixel)
{
#ifndef COUNT
    if (at >= push.room) return;
    layers[at].from = from;
    layers[at].to = to;
    layers[at].enters = enters & ~ENTERS;
    layers[at].leaves = leaves & ~ENTERS;
    layers[at].winding = winding;
    layers[at].pixel = pixel;
#endif
}

// On the way along a ray.
struct Walk {
    uint found;
    uint kind;
    uint enters;
    int winding;
    int extreme;
    float from;
};

// Passes a crossing, which may end a stretch; `at` is where stretches of the ray are written.
void pass(inout Walk walk, float depth, uint tag, uint at, uint ray, float least)
{
    walk.winding += (tag & ENTERS) != 0 ? 1 : -1;
    uint next = kind_of(walk.winding);
    if (next != walk.kind) {
        if (walk.kind != 0 && depth - walk.from > least) {
            write_layer(at + walk.found, walk.from, depth, walk.enters, tag, walk.extreme, ray);
            ++walk.found;
        }
        walk.kind = next;
        walk.from = depth;
        walk.enters = tag;
        walk.extreme = walk.winding;
    }
    if (abs(walk.winding) > abs(walk.extreme)) walk.extreme = walk.winding;
}

void main()
{
    uint rays = summary.nodes > push.capacity ? 0 : summary.frame.width * summary.frame.height;
    uint lane = gl_GlobalInvocationID.x, lanes = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    // Thinner self-overlaps may come from rounding.
    float least = push.self_overlaps == 0 ? 0.0 : 4.0 * summary.frame.slack[2];
    for (uint begin = lane; begin < rays; begin += 32 * lanes) {
        // Rays with lists are put off: software devices go through a branch for every ray when they go through it for one.
        uint listed = 0;
        for (uint n = 0; n < 32 && begin + n * lanes < rays; ++n) {
            uint ray = begin + n * lanes, count = count_of(ray);
            if (count > SLOTS) {
                listed |= 1u << n;
                continue;
            }
            Few few = sorted_slots(ray);
            Walk walk = Walk(0, 0, 0, 0, 0, 0.0);
            for (uint i = 0; i < count; ++i) {
                pass(walk, few.depth.x, few.tag.x, place_of(ray), ray, least);
                few = Few(few.depth.yzww, few.tag.yzww);
            }
            set_count(ray, walk.found);
        }
        for (; listed != 0; listed &= listed - 1) {
            uint ray = begin + uint(findLSB(listed)) * lanes;
            Walk walk = Walk(0, 0, 0, 0, 0, 0.0);
            for (uint node = heads[ray] >> 1; node != NIL; node = node_next(node))
                pass(walk, node_depth(node), node_tag(node), place_of(ray), ray, least);
            set_count(ray, walk.found);
        }
    }
}
