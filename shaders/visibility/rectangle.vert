#version 460
// A triangle on the screen as the rectangle along its longest edge there: what conservative rasterisation makes of it where the
// device has that, and grown by what it would add where not. Six vertices a triangle, two triangles of the
// rectangle's: software devices pay more for an instance than for its vertices.
// Partner: query/visibility.rs.
#extension GL_GOOGLE_include_directive : require
#include "positions.glsl"
#include "triangle_corners.glsl"
#include "fatten.glsl"
#include "screen_rectangle.glsl"

void main()
{
    Corners k = corners_of(gl_VertexIndex / 6);
    bound_depth(k);
    gl_Position = rectangle_vertex(k, gl_VertexIndex % 6);
}
