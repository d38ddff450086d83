#version 460
// Overlap, third: each triangle that can touch, along its dominant axis, grown to cover every pixel that it touches.
// Partner: query/overlap.rs.
#extension GL_GOOGLE_include_directive : require
#define GROWN
#include "meeting_params.glsl"
#include "ordered.glsl"
#include "views.glsl"
#include "overlap.glsl"

layout(std430, binding = 4) readonly buffer Query { OverlapQuery query; };
layout(std430, binding = 5) readonly buffer Drawn { vec4 drawn[]; };

layout(location = 0) flat out vec4 a_slack;
layout(location = 1) flat out vec3 b;
layout(location = 2) flat out vec3 c;
layout(location = 3) flat out uvec2 axis_thin;
layout(location = 4) flat out vec4 view_pixel;

void main()
{
    uint first = uint(gl_VertexIndex) / 3 * 3;
    vec4 a = drawn[first];
    vec3 b_placed = drawn[first + 1].xyz, c_placed = drawn[first + 2].xyz;
    Side side = side_of(a.xyz, b_placed, c_placed);
    View view = view_of(query.views);
    a_slack = vec4(seen(a.xyz, side.axis), a.w);
    b = seen(b_placed, side.axis);
    c = seen(c_placed, side.axis);
    axis_thin = uvec2(side.axis, side.thin ? 1 : 0);
    view_pixel = vec4(seen(view.corner, side.axis), view.pixel);
    vec3 corner = view_pixel.xyz;
    float scale = 1.0 / view.pixel;
    vec2 place = cover((a_slack.xy - corner.xy) * scale, (b.xy - corner.xy) * scale, (c.xy - corner.xy) * scale,
                       uint(gl_VertexIndex) % 3);
    gl_Position = vec4(place * (2.0 / query.views.resolution) - 1.0, 0.5, 1.0);
}
