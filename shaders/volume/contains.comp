#version 460
// Which points are inside a mesh, by the ray nearest to each. An invocation takes a point. Partner: query/contains.rs.
//
// The answer's lowest bit says inside; the next that the surface passes through the point's bin of the pixel's column, so that
// the ray beside the point need not tell for the point.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "frame.glsl"
layout(std430, binding = 0) readonly buffer Summaries { Summary summary; };
#include "grid.glsl"
#include "marks.glsl"
#define HEADS 1
#define NODES 2
#include "rays.glsl"
#ifdef TEXEL
layout(binding = 3) uniform usamplerBuffer marks;
uvec4 marks_at(uint i) { return texelFetch(marks, int(i)); }
#else
layout(std430, binding = 3) readonly buffer Marks { uvec4 marks[]; };
uvec4 marks_at(uint i) { return marks[i]; }
#endif
layout(std430, binding = 4) readonly buffer Points { float points[]; };
layout(std430, binding = 5) writeonly buffer Answers { uint answers[]; };

#define SPANS 6
#include "spans_view.glsl"

layout(push_constant) uniform ContainsPush {
    uint count;
    uint at;
    uint capacity;
} push;

const uint INSIDE = 1;
const uint NEAR = 2;

// The ray nearest to a point, and where the point is along it; MAX_UINT beyond the frame, which holds the mesh.
struct Asked {
    uint ray;
    uvec2 pixel;
    float depth;
};

Asked ray_of(uint point, Grid frame)
{
    vec3 world = vec3(points[3 * point], points[3 * point + 1], points[3 * point + 2]);
    vec3 place = (turned(world, frame.axis) - frame.origin) * frame.scale;
    vec3 size = vec3(frame.sides - 1, frame.bins);
    bool within = all(greaterThanEqual(place, vec3(0.0))) && all(lessThan(place, size));
    uvec2 pixel = uvec2(within ? place.xy + 0.5 : vec2(0.0));
    return Asked(within ? pixel.y * frame.sides.x + pixel.x : MAX_UINT, pixel, within ? place.z : 0.0);
}

uint near_of(Asked asked, Grid frame)
{
    uint bin = min(uint(asked.depth), frame.bins - 1);
    uint marked = bins_of(marks_at(block_of(asked.pixel, frame.sides) * (frame.bins / 32) + bin / 32), asked.pixel);
    return (marked >> (bin % 32) & 1) == 1 ? NEAR : 0;
}

uint inside_list(Asked asked)
{
    uint head = heads[asked.ray], inside = head & 1;
    for (uint node = head >> 1; node != NIL && node_depth(node) <= asked.depth; node = node_next(node)) inside ^= INSIDE;
    return inside;
}

void main()
{
    Grid frame = load_grid();
    bool complete = frame.sides.x > 0 && summary.nodes <= push.capacity;
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x, count = complete ? push.count : 0;
    for (uint i = gl_GlobalInvocationID.x; !complete && i < push.count; i += stride) answers[push.at + i] = 0;
    for (uint begin = gl_GlobalInvocationID.x; begin < count; begin += 32 * stride) {
        // Points at rays with lists are put off: software devices go through a branch for every point when they go through it for one.
        uint listed = 0;
        for (uint n = 0; n < 32 && begin + n * stride < count; ++n) {
            uint point = begin + n * stride;
            Asked asked = ray_of(point, frame);
            uint ray = asked.ray == MAX_UINT ? 0 : asked.ray;
            vec4 own = spans_of(ray);
            float depth = asked.depth;
            bool inside = (own.x <= depth && depth < own.y) || (own.z <= depth && depth < own.w);
            if (asked.ray != MAX_UINT && is_long(own)) listed |= 1u << n;
            answers[push.at + point] = asked.ray == MAX_UINT ? 0 : (inside ? INSIDE : 0) | near_of(asked, frame);
        }
        for (; listed != 0; listed &= listed - 1) {
            uint point = begin + uint(findLSB(listed)) * stride;
            Asked asked = ray_of(point, frame);
            answers[push.at + point] = inside_list(asked) | near_of(asked, frame);
        }
    }
}
