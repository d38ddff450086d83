#version 460
// How the volume that two meshes share changes with each vertex of one of them, as records of three floats. Partner: query/gradients.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "output.glsl"
#include "floats.glsl"
#include "frame.glsl"
#include "sums64.glsl"

struct GradientRecord {
    float gradient[3];
};
// The summaries of the views along x, y and z.
layout(std430, binding = 2) readonly buffer SummaryX { Summary summary_x; };
layout(std430, binding = 3) readonly buffer SummaryY { Summary summary_y; };
layout(std430, binding = 4) readonly buffer SummaryZ { Summary summary_z; };
// View after view, for each vertex of both meshes three sums in two words each.
layout(std430, binding = 5) readonly buffer Sums { uvec2 sums[]; };
layout(std430, binding = 6) writeonly buffer Records { OutputHead head; GradientRecord records[]; };

layout(push_constant) uniform GradientsOutputPush {
    OutputRoom room;
    uint count; // vertices of the mesh
    uint first; // sum of the mesh in a view
    uint view;  // sums of a view
    uint nodes;
    uint pixels;
} push;

// Of a pixel's area: UNITS of gradients.comp.
const float UNITS = 1048576.0;

vec3 seen(Frame frame, uint at)
{
    if (frame.width == 0) return vec3(0.0);
    vec3 cell = cell_of(frame);
    return to_axes(vec3(real64(sums[at]), real64(sums[at + 1]), real64(sums[at + 2])) * (cell.x * cell.y / UNITS), frame.axis);
}

void main()
{
    bool whole = is_whole(summary_x, push.nodes, push.pixels) && is_whole(summary_y, push.nodes, push.pixels) &&
                 is_whole(summary_z, push.nodes, push.pixels);
    if (is_first()) head = note = head_of(push.room, push.count, whole ? 0 : INCOMPLETE);
    Frame x = summary_x.frame, y = summary_y.frame, z = summary_z.frame;
    for (uint i = gl_GlobalInvocationID.x; i < min(push.count, push.room.capacity); i += all_lanes()) {
        uint at = push.first + 3 * i;
        vec3 sum = seen(x, at) + seen(y, push.view + at) + seen(z, 2 * push.view + at);
        records[i] = GradientRecord(floats(whole ? sum : vec3(0.0)));
    }
}
