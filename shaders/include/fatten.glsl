// A triangle in a view, and bounds on the depth of all that is near it. Include positions.glsl and triangle_corners.glsl
// before it. Partner: query/visibility/view.rs.
//
// View space is the world, moved and scaled the same on all axes, so that the region of interest lies within -1 to 1 and
// depth is along z. What is drawn has a depth for each pixel that the fragment shader finds from `plane` and `span`:
// interpolated depths lose too much on steep faces to be conservative.

#include "view_push.glsl"
#include "numbers.glsl"

layout(location = 0) flat out vec4 plane;
layout(location = 1) flat out vec2 span;

const float UNKNOWN = 1e30;

struct Corners {
    vec3 a, b, c, low, high;
    // The longest side of the box around them; UNKNOWN where a corner is no number, and the box is everything.
    float size;
    // Above the rounding of all that is computed from them below, 64 units in the last place.
    float slack;
};

vec3 place(uint vertex)
{
    vec3 p = load_position(vertex, view.first, view.stride);
    return vec3(dot(vec3(view.rows[0], view.rows[1], view.rows[2]), p) + view.rows[3],
                dot(vec3(view.rows[4], view.rows[5], view.rows[6]), p) + view.rows[7],
                dot(vec3(view.rows[8], view.rows[9], view.rows[10]), p) + view.rows[11]);
}

Corners corners_of(uint t)
{
    uvec3 v = triangle_corners(t);
    Corners k;
    k.a = place(v.x);
    k.b = place(v.y);
    k.c = place(v.z);
    k.low = min(k.a, min(k.b, k.c));
    k.high = max(k.a, max(k.b, k.c));
    vec3 sides = k.high - k.low;
    k.size = max(sides.x, max(sides.y, sides.z));
    vec3 sizes = abs(k.a) + abs(k.b) + abs(k.c);
    if (!is_number(sizes.x + sizes.y + sizes.z)) {
        k.a = k.b = k.c = vec3(0.0);
        k.low = vec3(-UNKNOWN);
        k.high = vec3(UNKNOWN);
        k.size = UNKNOWN;
    }
    k.slack = 8e-6 * (abs(k.a.x) + abs(k.a.y) + abs(k.a.z) + k.size + 2.0);
    return k;
}

/// All points within the radius of the triangle lie between two planes and between two depths.
void bound_depth(Corners k)
{
    float grow = view.radius + k.slack;
    span = vec2(k.low.z - grow, k.high.z + grow);
    plane = vec4(0.0, 0.0, k.a.z, 1e30);
    if (k.size <= 0.0 || k.size >= UNKNOWN) return;
    // Any normal will do: the slab is as thick as the corners need. A good one makes it thin.
    vec3 n = cross((k.b - k.a) / k.size, (k.c - k.a) / k.size);
    float l = length(n);
    if (l <= 1e-6) return;
    n /= l;
    if (abs(n.z) <= 1e-3) return;
    float thick = grow + max(abs(dot(n, k.b - k.a)), abs(dot(n, k.c - k.a)));
    plane = vec4(-n.xy / n.z, k.a.z + dot(n.xy, k.a.xy) / n.z, thick / abs(n.z));
}

/// Depth is the fragment's affair; nothing is clipped by it.
vec4 on_screen(vec2 at) { return vec4(at * view.scale_and_pixel.xy, 0.5, 1.0); }

/// Whether a triangle reaches so far beyond the screen that its edges would lose precision on the way.
bool is_vast(Corners k) { return k.size * max(view.scale_and_pixel.x, view.scale_and_pixel.y) >= 4.0; }

/// A corner of the box around a vast triangle, as much of it as the screen shows.
vec4 vast_corner(Corners k, bvec2 upper)
{
    vec2 grow = vec2(view.grow + k.slack), edge = 1.5 / view.scale_and_pixel.xy;
    vec2 at = mix(k.low.xy - grow, k.high.xy + grow, vec2(upper));
    return on_screen(clamp(at, -edge, edge));
}
