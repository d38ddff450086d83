#version 460
// Stretches of rays as records in the world, by rows, columns and depth. Partner: query/layers.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "output.glsl"
#include "floats.glsl"
#include "frame.glsl"
#include "layer.glsl"

struct LayerRecord {
    uint column;
    uint row;
    float start[3];
    float end[3];
    uint triangle_start;
    uint triangle_end;
    int winding;
    uint meshes;
};
layout(std430, binding = 2) readonly buffer Summaries { Summary summary; };
layout(std430, binding = 3) readonly buffer Layers { Layer layers[]; };
// For each triangle in cluster order its number.
layout(std430, binding = 4) readonly buffer Order { uint order[]; };
// The same of the second mesh, which has the triangles with the highest bit.
layout(std430, binding = 5) readonly buffer OrderB { uint order_b[]; };
layout(std430, binding = 6) writeonly buffer Records { OutputHead head; LayerRecord records[]; };

layout(push_constant) uniform LayersOutputPush {
    OutputRoom room;
    uint kept; // stretches that there was room for when the query was recorded
    uint nodes;
    uint pixels;
} push;

const uint SECOND = 0x80000000u;
uint number_of(uint triangle) { return (triangle & SECOND) != 0 ? order_b[triangle & ~SECOND] : order[triangle]; }

void main()
{
    bool whole = is_whole(summary, push.nodes, push.pixels);
    uint found = whole ? summary.layers_found : 0;
    OutputRoom room = push.room;
    room.capacity = min(room.capacity, push.kept);
    OutputHead h = head_of(room, found, whole ? 0 : INCOMPLETE);
    if (is_first()) head = note = h;
    Frame frame = summary.frame;
    for (uint i = gl_GlobalInvocationID.x; i < h.written; i += all_lanes()) {
        Layer layer = layers[i];
        vec3 ray = vec3(layer.pixel % frame.width, layer.pixel / frame.width, 0.0);
        vec3 from = world_at(frame, vec3(ray.xy, layer.from)), to = world_at(frame, vec3(ray.xy, layer.to));
        records[i] = LayerRecord(uint(ray.x), uint(ray.y), floats(from), floats(to), number_of(layer.enters), number_of(layer.leaves), layer.winding,
                                 layer.enters >> 31 | (layer.leaves >> 31) << 1);
    }
}
