#version 460
// A triangle on the screen as the rectangle along its longest edge there: what conservative rasterisation makes of it where the
// device has that, and grown by what it would add where not. Six vertices a triangle, two triangles of the
// rectangle's: software devices pay more for an instance than for its vertices.
// Partner: query/visibility.rs.
#extension GL_GOOGLE_include_directive : require
#include "positions.glsl"
#include "triangle_corners.glsl"
#include "fatten.glsl"

void main()
{
    Corners k = corners_of(gl_VertexIndex / 6);
    bound_depth(k);
    // Corners 0, 1, 2 and 2, 1, 3.
    int corner = int[](0, 1, 2, 2, 1, 3)[gl_VertexIndex % 6];
    bvec2 upper = notEqual(ivec2(1, 2) & corner, ivec2(0));
    if (is_vast(k)) {
        gl_Position = vast_corner(k, upper);
        return;
    }
    vec2 ab = k.b.xy - k.a.xy, bc = k.c.xy - k.b.xy, ca = k.a.xy - k.c.xy;
    vec3 lengths = vec3(dot(ab, ab), dot(bc, bc), dot(ca, ca));
    vec2 longest = lengths.x >= lengths.y ? ab : bc;
    longest = max(lengths.x, lengths.y) >= lengths.z ? longest : ca;
    float ratio = k.size > 0.0 ? length(longest / k.size) : 0.0;
    vec2 u = ratio > 1e-6 ? longest / k.size / ratio : vec2(1.0, 0.0);
    vec2 v = vec2(-u.y, u.x);
    vec2 pb = vec2(dot(ab, u), dot(ab, v)), pc = -vec2(dot(ca, u), dot(ca, v));
    float grow = view.grow + k.slack;
    vec2 at = mix(min(vec2(0.0), min(pb, pc)) - grow, max(vec2(0.0), max(pb, pc)) + grow, vec2(upper));
    gl_Position = on_screen(k.a.xy + at.x * u + at.y * v);
}
