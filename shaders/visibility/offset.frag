#version 460
// The least (variant near) or the greatest (variant far) depth of a triangle's offset at the centre of this pixel; where the offset is not,
// nothing is drawn. FAR, section 4.1: the exact offset is three balls, three cylinders and two shifted triangles; the bounded one has a box
// around each edge in the place of its cylinder and balls. The ball around any point of the triangle that projects into
// the pixel reaches half a pixel in front of it and behind it at the centre, so rounding far below that loses nothing.
// Partner: fatten.glsl.
//
// axis side: near=NEAR far
// axis fit: exact bounded=BOUNDED
#extension GL_GOOGLE_include_directive : require
#include "view_push.glsl"

layout(location = 0) flat in vec4 plane;
layout(location = 1) flat in vec2 span;
layout(location = 2) flat in vec3 corner_a;
layout(location = 3) flat in vec3 corner_b;
layout(location = 4) flat in vec3 corner_c;
layout(location = 5) flat in float reach;

// Depths found so far, from the least to the greatest.
vec2 found = vec2(1e30, -1e30);

void add(float low, float high)
{
    if (low <= high) found = vec2(min(found.x, low), max(found.y, high));
}

#ifdef BOUNDED

// Cuts the depths s of a ray from `from` along the view to where it is between -r and r + along in direction e. Where e is nearly at right
// angles to the ray, all depths within `deep` count or none.
vec2 cut(vec2 depths, vec3 from, vec3 e, float along, float r, float deep)
{
    float at = dot(from, e);
    if (abs(e.z) < 0.02) {
        float slack = abs(e.z) * deep;
        return at >= -r - slack && at <= along + r + slack ? depths : vec2(1.0, -1.0);
    }
    vec2 ends = (vec2(-r, along + r) - at) / e.z;
    return vec2(max(depths.x, min(ends.x, ends.y)), min(depths.y, max(ends.x, ends.y)));
}

// The box along an edge.
void add_edge(vec2 at, vec3 v, vec3 w, vec3 normal)
{
    vec3 way = w - v;
    float l = length(way);
    vec3 d = l > 1e-6 * reach ? way / l : vec3(1.0, 0.0, 0.0);
    vec3 across = cross(normal, d);
    float right = length(across);
    if (right < 0.1) {
        across = abs(d.x) < 0.6 ? cross(vec3(1.0, 0.0, 0.0), d) : cross(vec3(0.0, 1.0, 0.0), d);
        right = length(across);
    }
    across /= right;
    vec3 up = cross(d, across), from = vec3(at - v.xy, 0.0);
    float deep = l + 4.0 * reach;
    vec2 depths = vec2(min(v.z, w.z), max(v.z, w.z)) - v.z + vec2(-2.0, 2.0) * reach;
    depths = cut(depths, from, d, l, reach, deep);
    depths = cut(depths, from, across, 0.0, reach, deep);
    depths = cut(depths, from, up, 0.0, reach, deep);
    add(v.z + depths.x, v.z + depths.y);
}

#else

void add_ball(vec2 at, vec3 v)
{
    vec2 off = at - v.xy;
    float square = reach * reach - dot(off, off);
    if (square >= 0.0) add(v.z - sqrt(square), v.z + sqrt(square));
}

// The cylinder along an edge, and the ball at its start.
void add_edge(vec2 at, vec3 v, vec3 w, vec3 normal)
{
    add_ball(at, v);
    vec3 way = w - v;
    float l = length(way);
    if (l <= 1e-6 * reach) return;
    vec3 d = way / l;
    vec2 off = at - v.xy;
    float along = dot(off, d.xy), steep = dot(d.xy, d.xy);
    if (steep < 0.01) {
        // Nearly along the view: as deep as it gets, wherever it is near on the screen.
        float t = clamp(dot(off, way.xy) / max(dot(way.xy, way.xy), 1e-30), 0.0, 1.0);
        vec2 aside = off - t * way.xy;
        if (dot(aside, aside) <= reach * reach) add(min(v.z, w.z) - reach, max(v.z, w.z) + reach);
        return;
    }
    // The squared distance from the line, less that of the cylinder, is a quadratic in the depth.
    float aside = off.x * d.y - off.y * d.x, rest = steep * reach * reach - aside * aside;
    if (rest < 0.0) return;
    vec2 depths = (along * d.z + vec2(-1.0, 1.0) * sqrt(rest)) / steep;
    // As long as the edge, and a little longer.
    vec2 range = vec2(0.0, l) + vec2(-0.02, 0.02) * reach;
    if (abs(d.z) < 1e-6) {
        if (along < range.x || along > range.y) return;
    } else {
        vec2 ends = (range - along) / d.z;
        depths = vec2(max(depths.x, min(ends.x, ends.y)), min(depths.y, max(ends.x, ends.y)));
    }
    add(v.z + depths.x, v.z + depths.y);
}

#endif

// Whether a point is in the triangle on the screen, shifted, or outside of it by at most `margin`.
bool is_inside(vec2 at, vec2 shift, float margin)
{
    vec2 a = corner_a.xy + shift, b = corner_b.xy + shift, c = corner_c.xy + shift;
    vec2 ab = b - a, bc = c - b, ca = a - c;
    vec3 left = vec3(ab.x * (at.y - a.y) - ab.y * (at.x - a.x), bc.x * (at.y - b.y) - bc.y * (at.x - b.x),
                     ca.x * (at.y - c.y) - ca.y * (at.x - c.x));
    vec3 slack = margin * vec3(length(ab), length(bc), length(ca));
    return all(greaterThanEqual(left, -slack)) || all(lessThanEqual(left, slack));
}

// The triangle shifted along its normal, which is not level; its depth is kept between `low` and `high`.
void add_side(vec2 at, vec3 normal, float shift, float low, float high)
{
    if (!is_inside(at, shift * normal.xy, 0.05 * reach)) return;
    float z = clamp(corner_a.z + (shift - dot(normal.xy, at - corner_a.xy)) / normal.z, low, high);
    add(z, z);
}

void main()
{
    vec2 at = gl_FragCoord.xy * view.scale_and_pixel.zw - 1.0 / view.scale_and_pixel.xy;
    float middle = dot(plane.xy, at) + plane.z;
    vec2 slab = vec2(max(span.x, middle - plane.w), min(span.y, middle + plane.w));
    if (reach >= 0.0) {
        vec3 ab = corner_b - corner_a, ac = corner_c - corner_a, normal = cross(ab, ac);
        float l = length(normal), longest = max(length(corner_c - corner_b), max(length(ab), length(ac)));
        // What has hardly an area is its edges.
        bool has_sides = l > 0.05 * reach * longest;
        normal = has_sides ? normal / l : vec3(0.0);
        add_edge(at, corner_a, corner_b, normal);
        add_edge(at, corner_b, corner_c, normal);
        add_edge(at, corner_c, corner_a, normal);
        float low = min(corner_a.z, min(corner_b.z, corner_c.z)) - reach, high = max(corner_a.z, max(corner_b.z, corner_c.z)) + reach;
        if (has_sides && abs(normal.z) > 0.05) {
            // As far apart as a normal that was rounded needs.
            float thick = reach + max(abs(dot(normal, ab)), abs(dot(normal, ac)));
            add_side(at, normal, thick, low, high);
            add_side(at, normal, -thick, low, high);
        } else if (has_sides && is_inside(at, vec2(0.0), 1.1 * reach)) {
            // Seen nearly edge-on, its shifted sides too, which lie next to it on the screen: as deep as the slab.
            add(slab.x, slab.y);
        }
        if (found.x > found.y) discard;
        slab = vec2(max(slab.x, found.x), min(slab.y, found.y));
    }
#ifdef NEAR
    float z = slab.x;
#else
    float z = slab.y;
#endif
    gl_FragDepth = clamp(0.498 + 0.498 * view.depth * z, 0.0, 0.996);
}
