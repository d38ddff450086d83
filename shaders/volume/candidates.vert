#version 460
// A rectangle around every ray that may cross a triangle, along the edges of pixels: rasterisation finds the candidates, the
// fragments apply the rule of crossing.glsl. Six vertices a triangle. Partner: query/ldi/generators.rs.
//
// axis fetch: storage
#extension GL_GOOGLE_include_directive : require

#include "triangle_corners.glsl"
#include "frame.glsl"
layout(std430, binding = 0) readonly buffer Placed { vec4 placed[]; };
layout(std430, binding = 2) readonly buffer Summaries { Summary summary; };
#include "grid.glsl"
#include "convert_push.glsl"

layout(location = 0) flat out uint triangle;

void main()
{
    Grid grid = load_grid();
    triangle = gl_VertexIndex / 6;
    uvec3 corners = triangle_corners(triangle);
    vec3 a = placed[corners.x].xyz, b = placed[corners.y].xyz, c = placed[corners.z].xyz;
    vec2 kept = vec2(summary.frame.keep_from[push.mesh], summary.frame.keep_to[push.mesh]);
    vec3 low = min(a, min(b, c)), high = max(a, max(b, c));
    ivec2 from = ivec2(first_at(low.x, grid.sides.x), first_at(low.y, grid.sides.y));
    ivec2 to = ivec2(last_at(high.x, grid.sides.x), last_at(high.y, grid.sides.y)) + 1;
    // All six in one place: nothing to draw.
    if (grid.sides.x == 0 || is_outside(a, b, c, grid, kept) || any(greaterThanEqual(from, to))) {
        gl_Position = vec4(0.0, 0.0, 0.5, 1.0);
        return;
    }
    uint corner = uint(gl_VertexIndex) % 6;
    ivec2 at = ivec2(corner == 1 || corner == 2 || corner == 4 ? to.x : from.x, corner == 2 || corner >= 4 ? to.y : from.y);
    gl_Position = vec4(2.0 * vec2(at) / vec2(grid.sides) - 1.0, 0.5, 1.0);
}
