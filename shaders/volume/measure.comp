#version 460
// Stage 3: the Boolean of two layered depth images, ray by ray, summed up: volume, moments, the gradient of the volume, and how
// many bins are certainly and possibly inside both. An invocation takes every n-th ray and keeps its own sums, which
// total.comp adds in order. Partner: query/volume.rs, which derives the certificate.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "frame.glsl"
layout(std430, binding = 0) buffer Summaries { Summary summary; };
#define HEADS 1
#define NODES 2
#include "rays.glsl"
layout(std430, binding = 3) readonly buffer Marks { uint marks[]; };
layout(std430, binding = 4) writeonly buffer Partials { uint partials[]; };
#include "partials.glsl"

layout(push_constant) uniform MeasurePush {
    uint capacity;
} push;

#define INFINITY uintBitsToFloat(0x7f800000u)

// Of the frame, read once: software devices pay for every read of a storage buffer.
vec3 cell;
vec3 middle;
float end_of_frame;

// A place on the way along a ray of one mesh.
struct Walk {
    uint node;
    bool inside;
};

Walk walk(uint ray)
{
    uint head = heads[ray];
    return Walk(head >> 1, (head & 1) == 1);
}
float next_depth(Walk w) { return w.node == NIL ? INFINITY : node_depth(w.node); }
void pass(inout Walk w)
{
    w.inside = !w.inside;
    w.node = node_next(w.node);
}

// Length and first moment in depth of what is inside both.
vec2 overlap(Walk a, Walk b)
{
    vec2 sum = vec2(0.0);
    float from = 0.0;
    while ((a.node != NIL || a.inside) && (b.node != NIL || b.inside) && from < end_of_frame) {
        float next_a = next_depth(a), next_b = next_depth(b);
        float to = clamp(min(next_a, next_b), from, end_of_frame);
        if (a.inside && b.inside) sum += (to - from) * vec2(1.0, 0.5 * (from + to));
        if (next_a <= next_b && a.node != NIL) pass(a);
        if (next_b <= next_a && b.node != NIL) pass(b);
        from = to;
    }
    return sum;
}

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
    uvec3 reach;
    uvec3 complement;
};

void push_at(inout Sums sums, vec3 at, vec3 force)
{
    sums.gradient += force;
    sums.torque += cross((at - middle) * cell, force);
}

// What is inside both on one ray. The first mesh's faces on it push along the ray; coincident faces share the push.
void measure_ray(inout Sums sums, Walk a, Walk b, uvec2 pixel, uint width)
{
    if ((a.node == NIL && !a.inside) || (b.node == NIL && !b.inside)) return;
    vec2 at = vec2(pixel);
    float area = cell.x * cell.y;
    float from = 0.0, start = 0.0;
    bool was_both = a.inside && b.inside;
    float push_of_a = 0.0;
    while ((a.node != NIL || a.inside) && (b.node != NIL || b.inside) && from < end_of_frame) {
        float next_a = next_depth(a), next_b = next_depth(b);
        float to = clamp(min(next_a, next_b), from, end_of_frame);
        if (was_both) {
            sums.extent += to - from;
            sums.moment += (to - from) * vec3(at, 0.5 * (from + to));
        }
        if (next_a <= next_b && a.node != NIL) pass(a);
        if (next_b <= next_a && b.node != NIL) pass(b);
        bool both = a.inside && b.inside;
        if (both != was_both) {
            float share = next_a == next_b ? 0.5 : next_a < next_b ? 1.0 : 0.0;
            push_of_a += both ? -share : share;
            if (both) start = to;
        }
        if (was_both && (!both || to == end_of_frame) && to - start > sums.deepest) {
            sums.deepest = to - start;
            sums.deepest_from = start;
            sums.deepest_pixel = pixel.y * width + pixel.x;
        }
        was_both = both;
        from = to;
    }
    push_at(sums, vec3(at, 0.0), vec3(0.0, 0.0, area * push_of_a));
}

// How the volume changes with a motion of the first mesh across the rays: A moves by a pixel against B, seen from either side.
void measure_side(inout Sums sums, Walk a, Walk b, uint neighbour, uint pixels, vec2 at, vec2 step)
{
    vec2 ahead = overlap(walk(neighbour), b);
    vec2 behind = overlap(a, walk(pixels + neighbour));
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
    while (w.node != NIL) {
        float depth = node_depth(w.node);
        if (depth >= float(32 * (word + 1))) break;
        toggles ^= 1u << (uint(clamp(depth - float(32 * word), 0.0, 31.0)));
        pass(w);
    }
    for (uint shift = 1; shift < 32; shift *= 2) toggles ^= toggles << shift;
    return toggles ^ before;
}

void certify_ray(inout Sums sums, Walk a, Walk b, uint ray, uint pixels, uvec2 pixel)
{
    uint words = uint(end_of_frame) / 32;
    for (uint word = 0; word < words; ++word) {
        uint marked_a = marks[ray * words + word], in_a = filled(a, word), in_b = filled(b, word);
        if ((marked_a | in_a) == 0) continue;
        uint marked_b = marks[(pixels + ray) * words + word];
        uint possible = (in_a | marked_a) & (in_b | marked_b);
        sums.lower += bitCount(in_a & in_b & ~marked_a & ~marked_b);
        sums.upper += bitCount(possible);
        if (possible != 0) {
            sums.reach = max(sums.reach, uvec3(pixel, 32 * word + uint(findMSB(possible))));
            sums.complement = max(sums.complement, ~uvec3(pixel, 32 * word + uint(findLSB(possible))));
        }
    }
}

void main()
{
    uint width = summary.frame.width, height = summary.frame.height, pixels = width * height;
    uint lane = gl_GlobalInvocationID.x, lanes = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    cell = 1.0 / vec3(summary.frame.scale[0], summary.frame.scale[1], summary.frame.scale[2]);
    end_of_frame = float(summary.frame.bins);
    middle = 0.5 * vec3(width - 1, height - 1, summary.frame.bins);
    Sums sums = Sums(0.0, vec3(0.0), vec3(0.0), vec3(0.0), 0.0, 0.0, 0, 0, 0, uvec3(0), uvec3(0));
    bool complete = summary.nodes <= push.capacity;
    for (uint ray = lane; complete && ray < pixels; ray += lanes) {
        uvec2 pixel = uvec2(ray % width, ray / width);
        vec2 at = vec2(pixel);
        Walk a = walk(ray), b = walk(pixels + ray);
        if (pixel.x + 1 < width) measure_side(sums, a, b, ray + 1, pixels, at, vec2(1.0, 0.0));
        if (pixel.y + 1 < height) measure_side(sums, a, b, ray + width, pixels, at, vec2(0.0, 1.0));
        if (any(equal(pixel, uvec2(0))) || pixel.x == width - 1 || pixel.y == height - 1) continue;
        measure_ray(sums, a, b, pixel, width);
        certify_ray(sums, a, b, ray, pixels, pixel);
    }
    float own[PARTIALS - 1] = float[](sums.extent, sums.moment.x, sums.moment.y, sums.moment.z, sums.gradient.x, sums.gradient.y,
                                      sums.gradient.z, sums.torque.x, sums.torque.y, sums.torque.z, sums.deepest,
                                      sums.deepest_from);
    for (uint i = 0; i < PARTIALS - 1; ++i) partials[i * lanes + lane] = floatBitsToUint(own[i]);
    partials[(PARTIALS - 1) * lanes + lane] = sums.deepest_pixel;
    atomicAdd(summary.lower_bins, sums.lower);
    atomicAdd(summary.upper_bins, sums.upper);
    for (uint i = 0; i < 3; ++i) {
        atomicMax(summary.reach[i], sums.reach[i]);
        atomicMax(summary.complement[i], sums.complement[i]);
    }
}
