#version 460
// Scan conversion of a mesh into the lists of its rays, and into marks of the depth bins where its surface passes through a
// pixel's column. An invocation takes a triangle. Partner: query/ldi/generators.rs.
// Where the crossings are drawn instead, only the marks are made.
//
// variant texel: TEXEL
// variant storage:
// variant texel_marks: TEXEL MARKS_ONLY
// variant storage_marks: MARKS_ONLY
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "triangle_corners.glsl"
#include "frame.glsl"
#include "crossing.glsl"
layout(std430, binding = 2) buffer Summaries { Summary summary; };
#define HEADS 3
#define NODES 4
#include "rays.glsl"
layout(std430, binding = 5) buffer Marks { uint marks[]; };

#include "grid.glsl"
#ifdef TEXEL
layout(binding = 0) uniform samplerBuffer placed;
vec3 place(uint vertex) { return texelFetch(placed, int(vertex)).xyz; }
#else
layout(std430, binding = 0) readonly buffer Placed { vec4 placed[]; };
vec3 place(uint vertex) { return placed[vertex].xyz; }
#endif

#include "convert_push.glsl"
#include "add_crossing.glsl"

// The rays that cross the triangle. Looking for the next one touches no memory, so that lanes meet only where they add: software
// devices pay for an atomic in every lane when one has it.
void cross_rays(vec3 a, vec3 b, vec3 c, uint triangle, Grid grid, uint mesh_at)
{
    uvec2 sides = grid.sides;
    vec3 low = min(a, min(b, c)), high = max(a, max(b, c));
    int k = first_at(low.y, sides.y) + int(gl_WorkGroupID.y), to = last_at(high.y, sides.y);
    int begin = first_at(low.x, sides.x), end = last_at(high.x, sides.x);
    if (begin > end) return;
    Cut cut;
    int i = 0;
    bool in_row = false;
    while (k <= to || in_row) {
        while (!in_row && k <= to) {
            bool cuts = cut_row(a, b, c, float(k), cut);
            i = cuts ? first_at(cut.left.x, sides.x) : end + 1;
            in_row = i <= end && float(i) < cut.right.x;
            if (!in_row) k += int(gl_NumWorkGroups.y);
        }
        if (!in_row) return;
        add_crossing(mesh_at + uint(k) * sides.x + uint(i), depth_at(cut, float(i)), triangle | (cut.enters ? ENTERS : 0));
        ++i;
        in_row = i <= end && float(i) < cut.right.x;
        if (!in_row) k += int(gl_NumWorkGroups.y);
    }
}

// Least and greatest u of the part of an edge within a band of rows.
void widen(vec3 p, vec3 q, float low, float high, inout vec2 span)
{
    vec3 lower = p.y < q.y ? p : q, upper = p.y < q.y ? q : p;
    if (upper.y < low || lower.y > high) return;
    float inverse = 1.0 / max(upper.y - lower.y, 1e-30);
    vec2 t = clamp((vec2(low, high) - lower.y) * inverse, vec2(0.0), vec2(1.0));
    vec2 u = lower.x + (upper.x - lower.x) * t;
    span = vec2(min(span.x, min(u.x, u.y)), max(span.y, max(u.x, u.y)));
}

// The columns whose footprints a triangle touches in a row of them.
ivec2 columns_of_row(vec3 a, vec3 b, vec3 c, float k, vec2 slack, uint side)
{
    vec2 band = k + vec2(-0.5, 0.5) + vec2(-slack.y, slack.y);
    vec2 span = vec2(3e38, -3e38);
    widen(a, b, band.x, band.y, span);
    widen(b, c, band.x, band.y, span);
    widen(c, a, band.x, band.y, span);
    return ivec2(first_at(span.x - slack.x - 0.5, side), last_at(span.y + slack.x + 0.5, side));
}

// Marks every bin that the triangle passes through within a pixel's column. For the certificate it may mark too much, never too
// little: the triangle's exact place is within `slack` of its rounded one.
void mark_columns(vec3 a, vec3 b, vec3 c, Grid grid, uint mesh_at)
{
    uvec2 sides = grid.sides;
    vec3 low = min(a, min(b, c)), high = max(a, max(b, c));
    // Rounding here is relative to the coordinates: triangles may reach far beyond the frame.
    float rounding = 1e-6 * max(max(abs(low.x), abs(high.x)), max(abs(low.y), abs(high.y)));
    vec3 slack = grid.slack + vec3(rounding, rounding, 1e-6 * max(abs(low.z), abs(high.z)));
    low -= slack;
    high += slack;
    if (high.z < 0.0 || low.z > float(grid.bins)) return;
    // Footprints are half a pixel to each side.
    ivec2 from = ivec2(first_at(low.x - 0.5, sides.x), first_at(low.y - 0.5, sides.y));
    ivec2 to = ivec2(last_at(high.x + 0.5, sides.x), last_at(high.y + 0.5, sides.y));
    // The triangle's plane bounds its depths over a footprint, unless the triangle is so thin that the plane is not certain: the
    // determinant's rounding is at most 2^-22 of the product of two sides, and here 2^-7 of it.
    vec3 p = b - a, q = c - a;
    float determinant = p.x * q.y - p.y * q.x;
    bool flat_enough = abs(determinant) > 0.0078125 * max(dot(p.xy, p.xy), dot(q.xy, q.xy));
    vec2 slope = flat_enough ? vec2(p.z * q.y - p.y * q.z, p.x * q.z - p.z * q.x) / determinant : vec2(0.0);
    // Half a footprint, and what the slope's own rounding, 2^-13 of it, does over the triangle's size.
    vec2 half_side = 0.5 + slack.xy + 0.000244140625 * (high.xy - low.xy + 1.0);
    float swing = flat_enough ? dot(abs(slope), half_side) + slack.z : 3e38;
    bool wide = to.x > from.x && to.y > from.y;
    // One loop over words of pixels of rows: as above, only the marking itself touches memory.
    int k = from.y + int(gl_WorkGroupID.y) - int(gl_NumWorkGroups.y), i = 1, end = 0;
    uvec2 bins = uvec2(0);
    uint word = 1, last_word = 0;
    while (true) {
        while (word > last_word) {
            if (i > end) {
                k += int(gl_NumWorkGroups.y);
                if (k > to.y) return;
                ivec2 row = wide ? columns_of_row(a, b, c, float(k), slack.xy, sides.x) : ivec2(from.x, to.x);
                i = max(from.x, row.x);
                end = min(to.x, row.y);
                continue;
            }
            float middle = a.z + slope.x * (float(i) - a.x) + slope.y * (float(k) - a.y);
            vec2 depths = vec2(max(low.z, middle - swing), min(high.z, middle + swing));
            if (depths.y >= 0.0 && depths.x <= float(grid.bins)) {
                bins = uvec2(clamp(depths, vec2(0.0), vec2(grid.bins - 1)));
                word = bins.x / 32;
                last_word = bins.y / 32;
            }
            ++i;
        }
        uint bits = MAX_UINT;
        if (word == bins.x / 32) bits &= MAX_UINT << (bins.x % 32);
        if (word == bins.y / 32) bits &= MAX_UINT >> (31 - bins.y % 32);
        atomicOr(marks[(mesh_at + uint(k) * sides.x + uint(i - 1)) * (grid.bins / 32) + word], bits);
        ++word;
    }
}

void main()
{
    Grid grid = load_grid();
    if (grid.sides.x == 0) return;
    vec2 kept = vec2(summary.frame.keep_from[push.mesh], summary.frame.keep_to[push.mesh]);
    uint mesh_at = push.mesh * grid.sides.x * grid.sides.y;
    for (uint t = gl_GlobalInvocationID.x; t < push.count; t += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        uvec3 corners = triangle_corners(t);
        vec3 a = place(corners.x), b = place(corners.y), c = place(corners.z);
        if (is_outside(a, b, c, grid, kept)) continue;
        mark_columns(a, b, c, grid, mesh_at);
#ifndef MARKS_ONLY
        cross_rays(a, b, c, t, grid, mesh_at);
#endif
    }
}
