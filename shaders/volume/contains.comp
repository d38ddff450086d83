#version 460
// Which points are inside a mesh, by the ray nearest to each. An invocation takes a point. Partner: query/contains.rs.
//
// The answer's lowest bit says inside; the next that the surface passes through the point's bin of the pixel's column, so that
// the ray beside the point need not tell for the point.
//
// variant texel: TEXEL
// variant storage:
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "frame.glsl"
layout(std430, binding = 0) readonly buffer Summaries { Summary summary; };
#include "grid.glsl"
#define HEADS 1
#define NODES 2
#include "rays.glsl"
layout(std430, binding = 3) readonly buffer Marks { uint marks[]; };
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

uint ask(uint point, Grid frame)
{
    vec3 world = vec3(points[3 * point], points[3 * point + 1], points[3 * point + 2]);
    vec3 place = (turned(world, frame.axis) - frame.origin) * frame.scale;
    // The frame holds the mesh: beyond it is outside.
    vec3 size = vec3(frame.sides - 1, frame.bins);
    if (any(lessThan(place, vec3(0.0))) || any(greaterThanEqual(place, size))) return 0;
    uint ray = uint(place.y + 0.5) * frame.sides.x + uint(place.x + 0.5);
    vec4 own = spans_of(ray);
    bool within = (own.x <= place.z && place.z < own.y) || (own.z <= place.z && place.z < own.w);
    uint inside = within ? INSIDE : 0;
    if (is_long(own)) {
        uint head = heads[ray], node = head >> 1;
        inside = head & 1;
        for (; node != NIL && node_depth(node) <= place.z; node = node_next(node)) inside ^= INSIDE;
    }
    uint bin = min(uint(place.z), frame.bins - 1);
    bool near = (marks[ray * (frame.bins / 32) + bin / 32] >> (bin % 32) & 1) == 1;
    return inside | (near ? NEAR : 0);
}

void main()
{
    Grid frame = load_grid();
    bool complete = frame.sides.x > 0 && summary.nodes <= push.capacity;
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < push.count; i += stride) answers[push.at + i] = complete ? ask(i, frame) : 0;
}
