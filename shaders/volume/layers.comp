#version 460
// Stretches of rays: those inside the mesh, or those where entries and exits are out of order. The first variant counts them for
// each ray, the second writes them where offsets.comp says. An invocation takes a ray. Partner: query/layers.rs.
//
// variant count: COUNT
// variant write:
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "frame.glsl"
layout(std430, binding = 0) readonly buffer Summaries { Summary summary; };
#define HEADS 1
#define NODES 2
#include "rays.glsl"
layout(std430, binding = 3) buffer Offsets { uint offsets[]; };
#ifndef COUNT
struct Layer {
    float from;
    float to;
    uint enters;
    uint leaves;
    int winding;
    uint pixel;
};
layout(std430, binding = 4) writeonly buffer Layers { Layer layers[]; };
#endif

layout(push_constant) uniform LayersPush {
    uint capacity;
    uint room;
    // 1: stretches that the mesh winds around otherwise than once (Heidelberger et al. 2004, as in Teschner et al. 2005, section 6).
    uint folds;
} push;

// Stretches of one kind are one layer: inside; or folded over, and turned inside out.
uint kind_of(int winding) { return push.folds == 0 ? (winding != 0 ? 1 : 0) : winding > 1 ? 1 : winding < 0 ? 2 : 0; }

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

void main()
{
    uint ray = gl_WorkGroupID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x;
    if (ray >= summary.frame.width * summary.frame.height || summary.nodes > push.capacity) return;
    // Thinner folds may be of rounding.
    float least = push.folds == 0 ? 0.0 : 4.0 * summary.frame.slack[2];
    uint found = 0, start = 0, enters = 0, kind = 0;
#ifndef COUNT
    start = offsets[ray];
#endif
    int winding = 0, extreme = 0;
    float from = 0.0;
    for (uint node = heads[ray] >> 1; node != NIL; node = node_next(node)) {
        uint tag = node_tag(node);
        winding += (tag & ENTERS) != 0 ? 1 : -1;
        uint next = kind_of(winding);
        float depth = node_depth(node);
        if (next != kind) {
            if (kind != 0 && depth - from > least) {
                write_layer(start + found, from, depth, enters, tag, extreme, ray);
                ++found;
            }
            kind = next;
            from = depth;
            enters = tag;
            extreme = winding;
        }
        if (abs(winding) > abs(extreme)) extreme = winding;
    }
#ifdef COUNT
    offsets[ray] = found;
#endif
}
