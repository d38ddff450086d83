#version 460
// Sorts the crossings of every ray and leaves those where it enters or leaves the mesh: where the winding number becomes, or
// stops being, zero. An invocation takes a ray of a mesh. Partner: query/ldi.rs.
//
// Most rays cross few triangles: those are settled in registers, and only their spans are written. The others keep their lists.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "frame.glsl"
layout(std430, binding = 0) buffer Summaries { Summary summary; };
#define HEADS 1
#define NODES 2
#include "rays.glsl"
#include "sort.glsl"
layout(std430, binding = 3) writeonly buffer Spans { vec4 spans[]; };

layout(push_constant) uniform SpansPush {
    uint meshes;
    uint capacity;
    // 1: all crossings stay in the list.
    uint keep_all;
} push;

#define INFINITY uintBitsToFloat(0x7f800000u)
// More than two spans: see spans_view.glsl.
const vec4 LONG = vec4(1.0, 0.0, 1.0, 0.0);
// Before everything: where a span starts on a ray that starts inside.
const float START = -1e30;

int change_of(uint tag) { return (tag & ENTERS) != 0 ? 1 : -1; }

// Whether a ray that followed the mesh from end to end must have left it.
bool is_whole(bool from_above) { return !from_above && summary.frame.keep_to[0] > 3e38 && summary.frame.keep_to[1] > 3e38; }

// Whether parity and signed crossings do not tell the same somewhere on a ray: there the mesh is open, not manifold, not
// consistently oriented, or winds around something more than once.
bool is_flawed(uint first, int winding, bool from_above)
{
    bool odd = winding % 2 != 0;
    float since = -3e38;
    for (uint node = first; node != NIL; node = node_next(node)) {
        float depth = node_depth(node);
        if (odd != (winding != 0) && depth - since > summary.frame.slack[2]) return true;
        winding += change_of(node_tag(node));
        odd = !odd;
        since = depth;
    }
    return is_whole(from_above) && winding != 0;
}

// Sorts and filters the list of a ray where it is.
void settle_list(uint ray, uint first, uint count, bool from_above, out bool flawed)
{
    int winding = 0;
    if (from_above)
        for (uint node = first; node != NIL; node = node_next(node)) winding -= change_of(node_tag(node));
    first = sorted(first, count);
    flawed = is_flawed(first, winding, from_above);
    if (push.keep_all == 1) {
        heads[ray] = first << 1;
        return;
    }
    uint starts_inside = winding != 0 ? 1 : 0;
    uint kept = NIL, last = NIL;
    for (uint node = first; node != NIL; node = node_next(node)) {
        bool was_inside = winding != 0;
        winding += change_of(node_tag(node));
        if (was_inside == (winding != 0)) continue;
        if (last == NIL) kept = node;
        else nodes[3 * last + 2] = node;
        last = node;
    }
    if (last != NIL) nodes[3 * last + 2] = NIL;
    heads[ray] = kept << 1 | starts_inside;
}

// Up to four crossings, in registers: what is not there is at infinity.
struct Few {
    vec4 depth;
    uvec4 tag;
};

void order(inout Few few, int i, int j)
{
    bool swap = few.depth[j] < few.depth[i]
             || (few.depth[j] == few.depth[i] && (few.tag[j] ^ ENTERS) < (few.tag[i] ^ ENTERS));
    float depth = few.depth[i];
    uint tag = few.tag[i];
    few.depth[i] = swap ? few.depth[j] : depth;
    few.tag[i] = swap ? few.tag[j] : tag;
    few.depth[j] = swap ? depth : few.depth[j];
    few.tag[j] = swap ? tag : few.tag[j];
}

void append(inout vec4 ends, inout uint count, float depth)
{
    if (count == 0) ends.x = depth;
    else if (count == 1) ends.y = depth;
    else if (count == 2) ends.z = depth;
    else ends.w = depth;
    ++count;
}

// The same as settle_list for up to four crossings, without memory. A ray that starts inside has at most three.
vec4 settle_few(Few few, uint count, bool from_above, out bool flawed)
{
    order(few, 0, 1);
    order(few, 2, 3);
    order(few, 0, 2);
    order(few, 1, 3);
    order(few, 1, 2);
    int winding = 0;
    if (from_above)
        for (int i = 0; i < 4; ++i) winding -= i < int(count) ? change_of(few.tag[i]) : 0;
    vec4 ends = vec4(INFINITY);
    uint found = 0;
    if (winding != 0) append(ends, found, START);
    bool odd = winding % 2 != 0;
    float since = -3e38;
    flawed = false;
    for (int i = 0; i < 4; ++i) {
        if (i >= int(count)) continue;
        flawed = flawed || (odd != (winding != 0) && few.depth[i] - since > summary.frame.slack[2]);
        bool was_inside = winding != 0;
        winding += change_of(few.tag[i]);
        odd = !odd;
        since = few.depth[i];
        if (was_inside != (winding != 0)) append(ends, found, few.depth[i]);
    }
    flawed = flawed || (is_whole(from_above) && winding != 0);
    return ends;
}

void main()
{
    uint pixels = summary.frame.width * summary.frame.height;
    uint ray = gl_WorkGroupID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x;
    if (ray >= push.meshes * pixels || summary.nodes > push.capacity) return;
    uint first = heads[ray] >> 1;
    if (first == NIL) {
        spans[ray] = vec4(INFINITY);
        return;
    }
    uint mesh = ray / pixels;
    bool from_above = summary.frame.from_above[mesh] == 1;
    Few few = Few(vec4(INFINITY), uvec4(MAX_UINT));
    uint count = 0;
    for (uint node = first; node != NIL; node = node_next(node), ++count) {
        float depth = node_depth(node);
        uint tag = node_tag(node);
        bvec4 here = equal(uvec4(count), uvec4(0, 1, 2, 3));
        few.depth = mix(few.depth, vec4(depth), here);
        few.tag = mix(few.tag, uvec4(tag), here);
    }
    if (summary.layers[mesh] < count) atomicMax(summary.layers[mesh], count);
    bool flawed;
    if (push.keep_all == 0 && count <= (from_above ? 3 : 4)) {
        spans[ray] = settle_few(few, count, from_above, flawed);
    } else {
        settle_list(ray, first, count, from_above, flawed);
        spans[ray] = LONG;
    }
    uint column = (ray % pixels) % summary.frame.width, row = (ray % pixels) / summary.frame.width;
    bool inner = column > 0 && row > 0 && column < summary.frame.width - 1 && row < summary.frame.height - 1;
    if (inner && flawed) atomicAdd(summary.flawed[mesh], 1);
}
