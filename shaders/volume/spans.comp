#version 460
// Sorts the crossings of every ray and leaves those where it enters or leaves the mesh: where the winding number becomes, or
// stops being, zero. An invocation takes every n-th ray. Partner: query/ldi.rs.
//
// Most rays cross few triangles: those are settled in registers, and only their spans are written, where their depths were. The
// others get lists.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "frame.glsl"
layout(std430, binding = 0) buffer Summaries { Summary summary; };
#define HEADS 1
#define NODES 2
#include "rays.glsl"
#include "sort.glsl"
layout(std430, binding = 3) writeonly buffer Spans { vec4 spans[]; };
#define COUNTS 4
#define DEPTHS 5
#define TAGS 6
#include "slots_view.glsl"

layout(push_constant) uniform SpansPush {
    uint meshes;
    uint capacity;
    // 1: all crossings stay, in slots and lists.
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

// Which way a mesh is wound around: see Summary.
uint turn_of(int winding) { return winding > 0 ? 1u : winding < 0 ? 2u : 0u; }

// Whether parity and signed crossings do not tell the same somewhere on a ray: there the mesh is open, not manifold, not
// consistently oriented, or winds around something more than once.
bool is_flawed(uint first, int winding, bool from_above, inout uint turns)
{
    bool odd = winding % 2 != 0;
    float since = -3e38;
    for (uint node = first; node != NIL; node = node_next(node)) {
        float depth = node_depth(node);
        if (depth - since > summary.frame.slack[2]) {
            if (odd != (winding != 0)) return true;
            turns |= turn_of(winding);
        }
        winding += change_of(node_tag(node));
        odd = !odd;
        since = depth;
    }
    turns |= turn_of(winding);
    return is_whole(from_above) && winding != 0;
}

// Sorts and filters the list of a ray where it is.
void settle_list(uint ray, uint first, uint count, bool from_above, out bool flawed, inout uint turns)
{
    int winding = 0;
    if (from_above)
        for (uint node = first; node != NIL; node = node_next(node)) winding -= change_of(node_tag(node));
    first = sorted(first, count);
    flawed = is_flawed(first, winding, from_above, turns);
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

void append(inout vec4 ends, inout uint count, float depth)
{
    if (count == 0) ends.x = depth;
    else if (count == 1) ends.y = depth;
    else if (count == 2) ends.z = depth;
    else ends.w = depth;
    ++count;
}

// The same as settle_list for up to four sorted crossings, without memory. Of a ray that starts inside and has four only `flawed`
// is set.
vec4 settle_few(Few few, uint count, bool from_above, out bool flawed, inout uint turns)
{
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
        bool apart = few.depth[i] - since > summary.frame.slack[2];
        flawed = flawed || (odd != (winding != 0) && apart);
        turns |= apart ? turn_of(winding) : 0;
        bool was_inside = winding != 0;
        winding += change_of(few.tag[i]);
        odd = !odd;
        since = few.depth[i];
        if (was_inside != (winding != 0)) append(ends, found, few.depth[i]);
    }
    turns |= turn_of(winding);
    flawed = flawed || (is_whole(from_above) && winding != 0);
    return ends;
}

// Puts the crossings in a ray's slots into its list, which has the others. False when there is no room: then nothing is reported of
// any ray, and the host learns how much is needed.
bool make_list(uint ray, uint count)
{
    uint moved = min(count, SLOTS), at = atomicAdd(summary.nodes, moved);
    if (at + moved > push.capacity) return false;
    vec4 depth = depths_of(ray);
    uvec4 tag = tags_of(ray);
    uint next = heads[ray] >> 1;
    for (uint slot = 0; slot < moved; ++slot) {
        nodes[3 * (at + slot)] = floatBitsToUint(depth[slot]);
        nodes[3 * (at + slot) + 1] = tag[slot];
        nodes[3 * (at + slot) + 2] = next;
        next = at + slot;
    }
    heads[ray] = next << 1;
    return true;
}

// Whether a ray is not of the border.
bool is_inner(uint ray, uint pixels, uint width, uint height)
{
    uint column = (ray % pixels) % width, row = (ray % pixels) / width;
    return column > 0 && row > 0 && column < width - 1 && row < height - 1;
}

void main()
{
    uint width = summary.frame.width, height = summary.frame.height, pixels = width * height, rays = push.meshes * pixels;
    uint lane = gl_GlobalInvocationID.x, lanes = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    bvec2 from_above = bvec2(summary.frame.from_above[0] == 1, summary.frame.from_above[1] == 1);
    uvec2 layers = uvec2(0), flaws = uvec2(0), turned = uvec2(0);
    for (uint begin = lane; begin < rays; begin += 32 * lanes) {
        // Rays with lists are put off: software devices go through a branch for every ray when they go through it for one.
        uint listed = 0;
        for (uint n = 0; n < 32 && begin + n * lanes < rays; ++n) {
            uint ray = begin + n * lanes, count = count_of(ray);
            bool second = ray >= pixels, above = second ? from_above.y : from_above.x;
            layers = max(layers, second ? uvec2(0, count) : uvec2(count, 0));
            // A ray that starts inside has one end more.
            if (count > (above && push.keep_all == 0 ? SLOTS - 1 : SLOTS)) {
                listed |= 1u << n;
                continue;
            }
            bool flawed;
            uint turns = 0;
            vec4 ends = settle_few(sorted_slots(ray), count, above, flawed, turns);
            turned |= second ? uvec2(0, turns) : uvec2(turns, 0);
            if (count > 0 && push.keep_all == 0) spans[ray] = ends;
            if (flawed && is_inner(ray, pixels, width, height)) flaws += second ? uvec2(0, 1) : uvec2(1, 0);
        }
        while (listed != 0) {
            uint ray = begin + uint(findLSB(listed)) * lanes, count = count_of(ray);
            listed &= listed - 1;
            bool second = ray >= pixels, flawed;
            if (!make_list(ray, count)) continue;
            uint turns = 0;
            settle_list(ray, heads[ray] >> 1, count, second ? from_above.y : from_above.x, flawed, turns);
            turned |= second ? uvec2(0, turns) : uvec2(turns, 0);
            if (push.keep_all == 0) spans[ray] = LONG;
            if (flawed && is_inner(ray, pixels, width, height)) flaws += second ? uvec2(0, 1) : uvec2(1, 0);
        }
    }
    for (uint mesh = 0; mesh < 2; ++mesh) {
        if (layers[mesh] > 0) atomicMax(summary.layers[mesh], layers[mesh]);
        if (turned[mesh] > 0) atomicOr(summary.turned[mesh], turned[mesh]);
        if (flaws[mesh] > 0) atomicAdd(summary.flawed[mesh], flaws[mesh]);
    }
}
