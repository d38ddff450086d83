#version 460
// Where the field's body begins in a view, or where it ends if the mesh comes from behind (Morvan et al. 2008, section 4.1); 1 where it
// is not. Depths are kept so that what can penetrate is always deeper. Partner: query/penalty/raster.rs, field/columns.rs.
#extension GL_GOOGLE_include_directive : require
#include "meeting_params.glsl"
#include "ordered.glsl"
#include "views.glsl"
#include "drawing.glsl"

layout(std430, binding = 4) readonly buffer State { Drawing drawing; };
#include "flipped.glsl"
// The first and the last node of each column that is inside.
layout(std430, binding = 5) readonly buffer Columns { uvec2 columns[]; };

layout(push_constant) uniform BodyPush {
    float origin[3];
    float cell;
    uint nodes[3];
    uint axis;
} push;

// Nothing is added to what is blended.
layout(location = 0) out vec4 force_area;
layout(location = 1) out vec4 torque_depth;
layout(location = 2) out vec4 centroid_count;

void main()
{
    force_area = torque_depth = centroid_count = vec4(0.0);
    View view = view_of(drawing.views);
    vec3 corner = seen(view.corner, push.axis);
    vec3 origin = seen(vec3(push.origin[0], push.origin[1], push.origin[2]), push.axis);
    ivec3 nodes = ivec3(seen(vec3(push.nodes[0], push.nodes[1], push.nodes[2]), push.axis));
    // All columns around the pixel, and a tenth of a pixel for what rounding moves.
    vec2 middle = (corner.xy + gl_FragCoord.xy * view.pixel - origin.xy) / push.cell;
    float around = 0.6 * view.pixel / push.cell;
    ivec2 first = clamp(ivec2(floor(middle - around)), ivec2(0), nodes.xy - 1);
    ivec2 last = clamp(ivec2(ceil(middle + around)), ivec2(0), nodes.xy - 1);
    uint start = push.axis == 0 ? 0 : push.nodes[1] * push.nodes[2];
    if (push.axis == 2) start += push.nodes[2] * push.nodes[0];
    uint begin = 0xffffffffu, end = 0;
    for (int y = first.y; y <= last.y; ++y)
        for (int x = first.x; x <= last.x; ++x) {
            uvec2 column = columns[start + uint(y * nodes.x + x)];
            begin = min(begin, column.x);
            end = max(end, column.y);
        }
    // Between the last node outside and the first inside the surface may be anywhere.
    float side = view.pixel * drawing.views.resolution;
    float near = (origin.z + (float(begin) - 1.0) * push.cell - corner.z) / side;
    float far = (origin.z + (float(end) + 1.0) * push.cell - corner.z) / side;
    float depth = is_flipped(push.axis) ? 1.0 - far : near;
    gl_FragDepth = begin > end ? 1.0 : clamp(depth - 1e-4, 0.0, 1.0);
}
