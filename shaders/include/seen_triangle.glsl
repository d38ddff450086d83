// What a raster path hands to its fragments: a triangle as its view shows it. With GROWN it covers every pixel that it touches,
// otherwise those whose centres it covers. Needs views.glsl and `drawing`.
//
// axis coverage: grown=GROWN plain

layout(location = 0) flat out vec4 a_slack;
layout(location = 1) flat out vec3 b;
layout(location = 2) flat out vec3 c;
layout(location = 3) flat out uvec3 axis_thin_triangle;
layout(location = 4) flat out vec4 view_pixel;
#ifndef GROWN
layout(location = 5) out vec3 own_velocity;
#include "flipped.glsl"
#endif

// Corner `k` of the triangle pqr of the field's frame.
void show(vec3 p, vec3 q, vec3 r, float slack, Side side, uint triangle, uint k)
{
    View view = view_of(drawing.views);
    a_slack = vec4(seen(p, side.axis), slack);
    b = seen(q, side.axis);
    c = seen(r, side.axis);
    axis_thin_triangle = uvec3(side.axis, side.thin ? 1 : 0, triangle);
    view_pixel = vec4(seen(view.corner, side.axis), view.pixel);
    vec2 corner = view_pixel.xy;
    float scale = 1.0 / view.pixel;
    vec2 u = (a_slack.xy - corner) * scale, v = (b.xy - corner) * scale, w = (c.xy - corner) * scale;
#ifdef GROWN
    vec2 place = cover(u, v, w, k);
    float away = 0.5;
#else
    vec2 place = k == 0 ? u : k == 1 ? v : w;
    // What lies outside of the box is cut off.
    float depth = k == 0 ? a_slack.z : k == 1 ? b.z : c.z;
    float away = (depth - view_pixel.z) * scale / drawing.views.resolution;
    if (is_flipped(side.axis)) away = 1.0 - away;
#endif
    gl_Position = vec4(place * (2.0 / drawing.views.resolution) - 1.0, away, 1.0);
}
