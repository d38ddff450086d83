// The rectangle on the screen that holds a fattened triangle, along its longest edge there. Include fatten.glsl before it.

/// Vertex 0 to 5 of its two triangles.
vec4 rectangle_vertex(Corners k, int vertex)
{
    // Corners 0, 1, 2 and 2, 1, 3.
    int corner = int[](0, 1, 2, 2, 1, 3)[vertex];
    bvec2 upper = notEqual(ivec2(1, 2) & corner, ivec2(0));
    if (is_vast(k)) return vast_corner(k, upper);
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
    return on_screen(k.a.xy + at.x * u + at.y * v);
}
