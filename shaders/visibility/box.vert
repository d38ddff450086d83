#version 460
// FAR, section 4.1: a triangle fattened to the box on the rectangle along its longest edge. Fourteen vertices a box, as a strip
// whose triangles turn counter-clockwise seen from outside; its last one again and the first of the next box join it to that, and
// an instance is thirty-two boxes. An even number of vertices, so that all turn the same way.
// Partner: query/visibility.rs.
#extension GL_GOOGLE_include_directive : require
#include "positions.glsl"
#include "triangle_corners.glsl"
#include "fatten.glsl"

void main()
{
    int turn = gl_VertexIndex % 16;
    Corners k = corners_of(32 * gl_InstanceIndex + gl_VertexIndex / 16 + int(turn == 15));
    bound_depth(k);
    int bit = 1 << (turn == 15 ? 0 : min(turn, 13));
    bvec3 upper = notEqual(ivec3(0x287a, 0x02af, 0x31e3) & bit, ivec3(0));
    if (is_vast(k)) {
        gl_Position = vast_corner(k, upper.xy);
        return;
    }
    vec3 ab = k.b - k.a, bc = k.c - k.b, ca = k.a - k.c;
    vec3 lengths = vec3(dot(ab, ab), dot(bc, bc), dot(ca, ca));
    vec3 longest = lengths.x >= lengths.y ? ab : bc;
    longest = max(lengths.x, lengths.y) >= lengths.z ? longest : ca;
    vec3 other = max(lengths.x, lengths.y) >= lengths.z && lengths.x >= lengths.y ? bc : ab;
    float ratio = k.size > 0.0 ? length(longest / k.size) : 0.0;
    vec3 u = ratio > 0.0 ? longest / k.size / ratio : vec3(1.0, 0.0, 0.0);
    // Across it in the triangle's plane; of a sliver or a point any way across.
    vec3 v = k.size > 0.0 ? other / k.size : vec3(0.0);
    v -= dot(v, u) * u;
    if (dot(v, v) <= 1e-8) {
        v = abs(u.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
        v -= dot(v, u) * u;
    }
    v = normalize(v);
    v = normalize(v - dot(v, u) * u);
    vec3 w = cross(u, v);
    vec3 pb = vec3(dot(ab, u), dot(ab, v), dot(ab, w)), pc = -vec3(dot(ca, u), dot(ca, v), dot(ca, w));
    float grow = view.grow + k.slack;
    vec3 at = mix(min(vec3(0.0), min(pb, pc)) - grow, max(vec3(0.0), max(pb, pc)) + grow, vec3(upper));
    gl_Position = on_screen(k.a.xy + at.x * u.xy + at.y * v.xy + at.z * w.xy);
}
