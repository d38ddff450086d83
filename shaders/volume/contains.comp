#version 460
// Which points are inside a mesh, by the ray nearest to each. An invocation takes a point. Partner: query/contains.rs.
//
// The answer's lowest bit says inside; the next that the surface passes through the point's bin of the pixel's column, so that
// the ray beside the point need not tell for the point.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "frame.glsl"
layout(std430, binding = 0) readonly buffer Summaries { Summary summary; };
#define HEADS 1
#define NODES 2
#include "rays.glsl"
layout(std430, binding = 3) readonly buffer Marks { uint marks[]; };
layout(std430, binding = 4) readonly buffer Points { float points[]; };
layout(std430, binding = 5) writeonly buffer Answers { uint answers[]; };

layout(push_constant) uniform ContainsPush {
    uint count;
    uint at;
    uint capacity;
} push;

const uint INSIDE = 1;
const uint NEAR = 2;

uint ask(uint point)
{
    Frame frame = summary.frame;
    if (frame.width == 0 || summary.nodes > push.capacity) return 0;
    vec3 world = vec3(points[3 * point], points[3 * point + 1], points[3 * point + 2]);
    vec3 origin = vec3(frame.origin[0], frame.origin[1], frame.origin[2]);
    vec3 place = (turned(world, frame.axis) - origin) * vec3(frame.scale[0], frame.scale[1], frame.scale[2]);
    // The frame holds the mesh: beyond it is outside.
    vec3 size = vec3(frame.width - 1, frame.height - 1, frame.bins);
    if (any(lessThan(place, vec3(0.0))) || any(greaterThanEqual(place, size))) return 0;
    uint ray = uint(place.y + 0.5) * frame.width + uint(place.x + 0.5);
    uint head = heads[ray], node = head >> 1, inside = head & 1;
    for (; node != NIL && node_depth(node) <= place.z; node = node_next(node)) inside ^= INSIDE;
    uint bin = min(uint(place.z), frame.bins - 1);
    bool near = (marks[ray * (frame.bins / 32) + bin / 32] >> (bin % 32) & 1) == 1;
    return inside | (near ? NEAR : 0);
}

void main()
{
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < push.count; i += stride) answers[push.at + i] = ask(i);
}
