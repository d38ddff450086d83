#version 460
// Sorts the crossings of every ray and leaves those where it enters or leaves the mesh: where the winding number becomes, or
// stops being, zero. An invocation takes a ray of a mesh. Partner: query/ldi.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "frame.glsl"
layout(std430, binding = 0) buffer Summaries { Summary summary; };
#define HEADS 1
#define NODES 2
#include "rays.glsl"
#include "sort.glsl"

layout(push_constant) uniform SpansPush {
    uint meshes;
    uint capacity;
    // 1: all crossings stay in the list.
    uint keep_all;
} push;

// Counts a ray on which parity and signed crossings do not tell the same: the mesh is open there, not manifold, not
// consistently oriented, or winds around something more than once.
bool is_flawed(uint first, int winding, bool from_above)
{
    bool odd = winding % 2 != 0;
    float since = -3e38;
    for (uint node = first; node != NIL; node = node_next(node)) {
        float depth = node_depth(node);
        if (odd != (winding != 0) && depth - since > summary.frame.slack[2]) return true;
        winding += (node_tag(node) & ENTERS) != 0 ? 1 : -1;
        odd = !odd;
        since = depth;
    }
    // A ray whose whole length was followed ends outside.
    return summary.frame.keep_to[0] > 3e38 && summary.frame.keep_to[1] > 3e38 && !from_above && winding != 0;
}

void main()
{
    uint pixels = summary.frame.width * summary.frame.height;
    uint ray = gl_WorkGroupID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x;
    if (ray >= push.meshes * pixels || summary.nodes > push.capacity) return;
    uint first = heads[ray] >> 1;
    if (first == NIL) return;
    uint mesh = ray / pixels;
    bool from_above = summary.frame.from_above[mesh] == 1;
    int winding = 0;
    uint count = 0;
    for (uint node = first; node != NIL; node = node_next(node), ++count)
        if (from_above) winding -= (node_tag(node) & ENTERS) != 0 ? 1 : -1;
    if (summary.layers[mesh] < count) atomicMax(summary.layers[mesh], count);
    first = sorted(first, count);
    uint column = (ray % pixels) % summary.frame.width, row = (ray % pixels) / summary.frame.width;
    bool inner = column > 0 && row > 0 && column < summary.frame.width - 1 && row < summary.frame.height - 1;
    if (inner && is_flawed(first, winding, from_above)) atomicAdd(summary.flawed[mesh], 1);
    if (push.keep_all == 1) {
        heads[ray] = first << 1;
        return;
    }
    uint starts_inside = winding != 0 ? 1 : 0;
    uint kept = NIL, last = NIL;
    for (uint node = first; node != NIL; node = node_next(node)) {
        bool was_inside = winding != 0;
        winding += (node_tag(node) & ENTERS) != 0 ? 1 : -1;
        if (was_inside == (winding != 0)) continue;
        if (last == NIL) kept = node;
        else nodes[3 * last + 2] = node;
        last = node;
    }
    if (last != NIL) nodes[3 * last + 2] = NIL;
    heads[ray] = kept << 1 | starts_inside;
}
