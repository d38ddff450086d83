#version 460
// Proximity by drawing, last: the least of all tiles, which triangle it is of and where, and the answer. One workgroup.
// Partner: query/proximity/raster.rs.
#extension GL_GOOGLE_include_directive : require
#define LANES 64
layout(local_size_x = LANES) in;
#define FIELD_BINDING 10
#include "field.glsl"
#include "meeting.glsl"
#include "proximity.glsl"
#include "views.glsl"
#include "drawing.glsl"

layout(std430, binding = 6) readonly buffer State { Drawing drawing; };
layout(std430, binding = 7) readonly buffer Tiles { uvec2 tiles[]; };
layout(binding = 8) uniform sampler2D points;
layout(binding = 9) uniform usampler2D triangles;
#include "proximity_answer.glsl"

layout(push_constant) uniform PixelPush { uint tiles; } push;

shared uvec2 least[LANES];

uvec2 least_pixel()
{
    uint lane = gl_LocalInvocationID.x;
    uvec2 best = uvec2(0xffffffffu);
    for (uint i = lane; i < push.tiles; i += LANES)
        if (tiles[i].x < best.x || (tiles[i].x == best.x && tiles[i].y < best.y)) best = tiles[i];
    least[lane] = best;
    for (uint half_width = LANES / 2; half_width > 0; half_width /= 2) {
        barrier();
        if (lane < half_width) {
            uvec2 other = least[lane + half_width];
            if (other.x < least[lane].x || (other.x == least[lane].x && other.y < least[lane].y)) least[lane] = other;
        }
    }
    barrier();
    return least[0];
}

// The weights of a triangle's corners at a point on it.
vec3 weights_at(Corners t, vec3 p)
{
    vec3 ab = t.b - t.a, ac = t.c - t.a, ap = p - t.a;
    float bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac), pb = dot(ap, ab), pc = dot(ap, ac);
    float area = bb * cc - bc * bc;
    float v = 0.0, w = 0.0;
    if (area > 1e-6 * bb * cc) {
        v = (cc * pb - bc * pc) / area;
        w = (bb * pc - bc * pb) / area;
    } else if (bb > 0.0 && pb > 0.0 && (bb >= cc || pc <= 0.0)) {
        v = pb / bb;
    } else if (cc > 0.0) {
        w = pc / cc;
    }
    vec3 weights = max(vec3(1.0 - v - w, v, w), 0.0);
    return weights / (weights.x + weights.y + weights.z);
}

void main()
{
    uvec2 found = least_pixel();
    ivec2 size = textureSize(points, 0);
    ivec2 pixel = ivec2(int(found.y) % size.x, int(found.y) / size.x);
    // Nothing was drawn where no position is a number.
    bool nothing = found.x >= 0xff800000u;
    uint triangle = nothing ? 0 : texelFetch(triangles, pixel, 0).x;
    vec3 p = texelFetch(points, pixel, 0).xyz;
    Corners t = load_triangle(query.meeting, triangle);
    Corners there =
        Corners(placed(query.meeting, t.a), placed(query.meeting, t.b), placed(query.meeting, t.c));
    vec3 weights = nothing ? vec3(1.0 / 3.0) : weights_at(there, p);
    View view = view_of(drawing.views);
    // Depths are rounded: a pixel may have kept one that is larger by this.
    float lower = unordered(found.x) - 2e-7 * (drawing.most - drawing.least);
    if (nothing) lower = uintBitsToFloat(0xff800000u);
    float step = clamp(view.pixel / max(radius_of(t), 1e-30), 0.0, 0.25);
    answer(Sample(triangle, weights, step), lower, unordered(query.best));
}
