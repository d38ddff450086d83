#version 460
// Stage 3: the Boolean of two layered depth images, ray by ray, summed up: volume, moments, the gradient of the volume, and how
// many bins are certainly and possibly inside both. An invocation takes every n-th ray and keeps its own sums, which
// total.comp adds in order. Partners: query/volume.rs, and query/volume/certificate.rs, which derives what bins are counted for.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "frame.glsl"
layout(std430, binding = 0) buffer Summaries { Summary summary; };
#define HEADS 1
#define NODES 2
#include "rays.glsl"
#include "marks.glsl"
#ifdef TEXEL
layout(binding = 3) uniform usamplerBuffer marks;
uvec4 marks_at(uint i) { return texelFetch(marks, int(i)); }
#else
layout(std430, binding = 3) readonly buffer Marks { uvec4 marks[]; };
uvec4 marks_at(uint i) { return marks[i]; }
#endif
layout(std430, binding = 4) writeonly buffer Partials { uint partials[]; };
#include "partials.glsl"
#define SPANS 5
#include "spans_view.glsl"

layout(push_constant) uniform MeasurePush {
    uint capacity;
} push;

#define INFINITY uintBitsToFloat(0x7f800000u)

// Of the frame, read once: software devices pay for every read of a storage buffer.
vec3 cell;
vec3 middle;
float end_of_frame;
uvec2 sides;

// A place on the way along a ray of one mesh: in its list, or in its spans.
struct Walk {
    vec4 rest;
    uint node;
    bool inside;
    bool in_list;
};

Walk walk(uint ray)
{
    vec4 own = spans_of(ray);
    if (!is_long(own)) return Walk(own, NIL, false, false);
    uint head = heads[ray];
    return Walk(vec4(INFINITY), head >> 1, (head & 1) == 1, true);
}
float next_depth(Walk w) { return !w.in_list ? w.rest.x : w.node == NIL ? INFINITY : node_depth(w.node); }
bool is_over(Walk w) { return !w.inside && next_depth(w) == INFINITY; }
void pass(inout Walk w)
{
    w.inside = !w.inside;
    if (w.in_list) w.node = node_next(w.node);
    else w.rest = vec4(w.rest.yzw, INFINITY);
}

// Length and first moment in depth of what is inside both, along lists.
vec2 overlap(Walk a, Walk b)
{
    vec2 sum = vec2(0.0);
    float from = 0.0;
    while (!is_over(a) && !is_over(b) && from < end_of_frame) {
        float next_a = next_depth(a), next_b = next_depth(b);
        float to = clamp(min(next_a, next_b), from, end_of_frame);
        if (a.inside && b.inside) sum += (to - from) * vec2(1.0, 0.5 * (from + to));
        // One of them moves on in every turn, whatever the depths are: the walk ends.
        bool b_first = next_b < next_a, together = next_a == next_b;
        if (!b_first && next_a < INFINITY) pass(a);
        if ((b_first || together) && next_b < INFINITY) pass(b);
        from = to;
    }
    return sum;
}

// The same of a span of each.
vec2 shared_part(vec2 a, vec2 b)
{
    float from = clamp(max(a.x, b.x), 0.0, end_of_frame), to = clamp(min(a.y, b.y), from, end_of_frame);
    return (to - from) * vec2(1.0, 0.5 * (from + to));
}

vec2 overlap(vec4 a, vec4 b)
{
    return shared_part(a.xy, b.xy) + shared_part(a.xy, b.zw) + shared_part(a.zw, b.xy) + shared_part(a.zw, b.zw);
}

bool is_border(uvec2 pixel) { return any(equal(pixel, uvec2(0))) || any(equal(pixel, sides - 1)); }

struct Sums {
    float extent;
    vec3 moment;
    vec3 gradient;
    vec3 torque;
    float deepest;
    float deepest_from;
    uint deepest_pixel;
    uint lower;
    uint upper;
    uint shared_bins;
    uint doubtful;
    uint differing;
    uvec3 maxima;
    uvec3 complement;
};

void push_at(inout Sums sums, vec3 at, vec3 force)
{
    sums.gradient += force;
    sums.torque += cross((at - middle) * cell, force);
}

void keep_deepest(inout Sums sums, float from, float to, uint pixel)
{
    if (to - from <= sums.deepest) return;
    sums.deepest = to - from;
    sums.deepest_from = from;
    sums.deepest_pixel = pixel;
}

// How much of a face is of the first mesh: coincident faces are shared.
float share(float own, float other) { return own == other ? 0.5 : own < other ? 1.0 : 0.0; }

// What is inside both on one ray, along lists. Gives the push of the first mesh's faces along the ray.
float measure_walks(inout Sums sums, Walk a, Walk b, vec2 at, uint pixel)
{
    float from = 0.0, start = 0.0;
    bool was_both = a.inside && b.inside;
    float push_of_a = 0.0;
    while (!is_over(a) && !is_over(b) && from < end_of_frame) {
        float next_a = next_depth(a), next_b = next_depth(b);
        float to = clamp(min(next_a, next_b), from, end_of_frame);
        if (was_both) {
            sums.extent += to - from;
            sums.moment += (to - from) * vec3(at, 0.5 * (from + to));
        }
        // One of them moves on in every turn, whatever the depths are: the walk ends.
        bool b_first = next_b < next_a, together = next_a == next_b;
        if (!b_first && next_a < INFINITY) pass(a);
        if ((b_first || together) && next_b < INFINITY) pass(b);
        bool both = a.inside && b.inside;
        if (both != was_both) push_of_a += both ? -share(next_a, next_b) : share(next_a, next_b);
        if (both && !was_both) start = to;
        if (was_both && (!both || to == end_of_frame)) keep_deepest(sums, start, to, pixel);
        was_both = both;
        from = to;
    }
    return push_of_a;
}

// The same of a span of each. A span without a start or an end has no face there.
float measure_spans(inout Sums sums, vec2 a, vec2 b, vec2 at, uint pixel)
{
    float from = max(a.x, b.x), to = min(a.y, b.y);
    if (from >= to) return 0.0;
    float push_of_a = (to < 1e29 ? share(a.y, b.y) : 0.0) - (from > -1e29 ? share(-a.x, -b.x) : 0.0);
    from = clamp(from, 0.0, end_of_frame);
    to = clamp(to, from, end_of_frame);
    sums.extent += to - from;
    sums.moment += (to - from) * vec3(at, 0.5 * (from + to));
    keep_deepest(sums, from, to, pixel);
    return push_of_a;
}

float measure_spans(inout Sums sums, vec4 a, vec4 b, vec2 at, uint pixel)
{
    return measure_spans(sums, a.xy, b.xy, at, pixel) + measure_spans(sums, a.xy, b.zw, at, pixel)
         + measure_spans(sums, a.zw, b.xy, at, pixel) + measure_spans(sums, a.zw, b.zw, at, pixel);
}

void push_along(inout Sums sums, vec2 at, float push_of_a)
{
    push_at(sums, vec3(at, 0.0), vec3(0.0, 0.0, cell.x * cell.y * push_of_a));
}

// How the volume changes with a motion of the first mesh across the rays: A moves by a pixel against B, seen from either side. What
// they share then is given.
void push_across(inout Sums sums, vec2 ahead, vec2 behind, vec2 at, vec2 step)
{
    vec2 difference = 0.5 * (behind - ahead);
    if (difference == vec2(0.0)) return;
    float face = (step.x > 0.0 ? cell.y : cell.x) * cell.z;
    vec2 place = at + 0.5 * step - middle.xy;
    vec3 force = vec3(step, 0.0) * face * difference.x;
    sums.gradient += force;
    // The moment of the force's depths is taken whole, so that nothing is divided.
    float depth_moment = (difference.y - middle.z * difference.x) * cell.z * face;
    sums.torque += vec3(-step.y * depth_moment, step.x * depth_moment, place.x * cell.x * force.y - place.y * cell.y * force.x);
}

// Bins of a word after whose crossings the ray is inside.
uint filled(inout Walk w, uint word)
{
    uint toggles = 0;
    uint before = w.inside ? MAX_UINT : 0;
    for (float depth = next_depth(w); depth < float(32 * (word + 1)); depth = next_depth(w)) {
        toggles ^= 1u << uint(clamp(depth - float(32 * word), 0.0, 31.0));
        pass(w);
    }
    for (uint shift = 1; shift < 32; shift *= 2) toggles ^= toggles << shift;
    return toggles ^ before;
}

// The same from a span: the bins from that of its start to the one before that of its end.
uint filled(vec2 span, uint word)
{
    ivec2 ends = clamp(ivec2(clamp(span, vec2(0.0), vec2(end_of_frame))) - int(32 * word), ivec2(0), ivec2(32));
    int count = ends.y - ends.x;
    return count <= 0 ? 0 : (MAX_UINT >> (32 - count)) << ends.x;
}

void certify(inout Sums sums, uint in_a, uint marked_a, uint in_b, uint marked_b, uvec2 pixel, uint word)
{
    uint possible = (in_a | marked_a) & (in_b | marked_b);
    sums.lower += bitCount(in_a & in_b & ~marked_a & ~marked_b);
    sums.upper += bitCount(possible);
    sums.shared_bins += bitCount(in_a & in_b);
    sums.doubtful += bitCount(marked_a & marked_b);
    sums.differing += bitCount(marked_a & marked_b & (in_a ^ in_b));
    if (possible != 0) {
        sums.maxima = max(sums.maxima, uvec3(pixel, 32 * word + uint(findMSB(possible))));
        sums.complement = max(sums.complement, ~uvec3(pixel, 32 * word + uint(findLSB(possible))));
    }
}

// Where the marks of a pixel start, for both meshes, and how many there are of each.
uvec3 marks_of(uvec2 pixel)
{
    uint words = uint(end_of_frame) / 32, at = block_of(pixel, sides) * words;
    return uvec3(at, at + blocks_of(sides) * words, words);
}

// A ray, of which and of whose neighbours only spans are known.
void take_spans(inout Sums sums, uint ray, uvec2 pixel, vec4 a, vec4 b, mat4 next)
{
    vec2 at = vec2(pixel);
    if (pixel.x + 1 < sides.x) push_across(sums, overlap(next[0], b), overlap(a, next[1]), at, vec2(1.0, 0.0));
    if (pixel.y + 1 < sides.y) push_across(sums, overlap(next[2], b), overlap(a, next[3]), at, vec2(0.0, 1.0));
    if (is_border(pixel)) return;
    push_along(sums, at, measure_spans(sums, a, b, at, ray));
    uvec3 own = marks_of(pixel);
    for (uint word = 0; word < own.z; ++word)
        certify(sums, filled(a.xy, word) | filled(a.zw, word), bins_of(marks_at(own.x + word), pixel),
                filled(b.xy, word) | filled(b.zw, word), bins_of(marks_at(own.y + word), pixel), pixel, word);
}

// The same of any ray, along its list where it has one.
void take_lists(inout Sums sums, uint ray, uvec2 pixel, uint pixels)
{
    vec2 at = vec2(pixel);
    for (uint side = 0; side < 2; ++side) {
        if (pixel[side] + 1 >= sides[side]) continue;
        uint next = ray + (side == 0 ? 1 : sides.x);
        vec2 ahead = overlap(walk(next), walk(pixels + ray)), behind = overlap(walk(ray), walk(pixels + next));
        push_across(sums, ahead, behind, at, side == 0 ? vec2(1.0, 0.0) : vec2(0.0, 1.0));
    }
    if (is_border(pixel)) return;
    push_along(sums, at, measure_walks(sums, walk(ray), walk(pixels + ray), at, ray));
    uvec3 own = marks_of(pixel);
    Walk a = walk(ray), b = walk(pixels + ray);
    for (uint word = 0; word < own.z; ++word) {
        uint in_a = filled(a, word), in_b = filled(b, word);
        certify(sums, in_a, bins_of(marks_at(own.x + word), pixel), in_b, bins_of(marks_at(own.y + word), pixel), pixel, word);
    }
}

void main()
{
    uint width = summary.frame.width, height = summary.frame.height, pixels = width * height;
    uint lane = gl_GlobalInvocationID.x, lanes = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    cell = 1.0 / vec3(summary.frame.scale[0], summary.frame.scale[1], summary.frame.scale[2]);
    end_of_frame = float(summary.frame.bins);
    sides = uvec2(width, height);
    middle = 0.5 * vec3(width - 1, height - 1, summary.frame.bins);
    Sums sums = Sums(0.0, vec3(0.0), vec3(0.0), vec3(0.0), 0.0, 0.0, 0, 0, 0, 0, 0, 0, uvec3(0), uvec3(0));
    bool complete = summary.nodes <= push.capacity;
    for (uint begin = lane; complete && begin < pixels; begin += 32 * lanes) {
        // Rays with lists are put off: software devices go through a branch for every ray when they go through it for one.
        uint listed = 0;
        for (uint n = 0; n < 32 && begin + n * lanes < pixels; ++n) {
            uint ray = begin + n * lanes, right = min(ray + 1, pixels - 1), above = min(ray + width, pixels - 1);
            vec4 a = spans_of(ray), b = spans_of(pixels + ray);
            mat4 next = mat4(spans_of(right), spans_of(pixels + right), spans_of(above), spans_of(pixels + above));
            if (is_long(a) || is_long(b) || is_long(next[0]) || is_long(next[1]) || is_long(next[2]) || is_long(next[3])) {
                listed |= 1u << n;
                continue;
            }
            take_spans(sums, ray, uvec2(ray % width, ray / width), a, b, next);
        }
        for (; listed != 0; listed &= listed - 1) {
            uint ray = begin + uint(findLSB(listed)) * lanes;
            take_lists(sums, ray, uvec2(ray % width, ray / width), pixels);
        }
    }
    float own[PARTIALS - 1] = float[](sums.extent, sums.moment.x, sums.moment.y, sums.moment.z, sums.gradient.x, sums.gradient.y,
                                      sums.gradient.z, sums.torque.x, sums.torque.y, sums.torque.z, sums.deepest,
                                      sums.deepest_from);
    for (uint i = 0; i < PARTIALS - 1; ++i) partials[i * lanes + lane] = floatBitsToUint(own[i]);
    partials[(PARTIALS - 1) * lanes + lane] = sums.deepest_pixel;
    atomicAdd(summary.lower_bins, sums.lower);
    atomicAdd(summary.upper_bins, sums.upper);
    atomicAdd(summary.shared_bins, sums.shared_bins);
    atomicAdd(summary.doubtful_bins, sums.doubtful);
    atomicAdd(summary.differing_bins, sums.differing);
    for (uint i = 0; i < 3; ++i) {
        atomicMax(summary.maxima[i], sums.maxima[i]);
        atomicMax(summary.complement[i], sums.complement[i]);
    }
}
