#version 460
// A triangle for offset.frag, which finds its offset in every pixel of this rectangle.
// Partner: query/visibility.rs.
#extension GL_GOOGLE_include_directive : require
#include "positions.glsl"
#include "triangle_corners.glsl"
#include "fatten.glsl"
#include "screen_rectangle.glsl"

layout(location = 2) flat out vec3 corner_a;
layout(location = 3) flat out vec3 corner_b;
layout(location = 4) flat out vec3 corner_c;
// How far from the triangle points count; negative where it reaches too far beyond the screen, or is too small beside what
// it is measured by, for more than the slab.
layout(location = 5) flat out float reach;

void main()
{
    Corners k = corners_of(gl_VertexIndex / 6);
    bound_depth(k);
    gl_Position = rectangle_vertex(k, gl_VertexIndex % 6);
    corner_a = k.a;
    corner_b = k.b;
    corner_c = k.c;
    float grown = view.radius + k.slack;
    reach = is_vast(k) || k.slack > 0.1 * grown ? -1.0 : grown;
}
