#version 460
// Integrates one mesh, column by column of pixels, over the depths at which the other's rays are inside: the volumes of the prisms under
// its triangles, each cut to the pixel. An invocation takes a triangle. Partner: query/volume/certificate.rs, which says what for.
//
// Within a column the other mesh is taken to be inside from the bin where its ray enters to the one before that where it leaves. The
// length of that below a depth is the triangle's height there; it is linear over a piece, and the integral exact but for rounding, unless an
// end lies among the piece's depths. Then what it may be off is added to the doubt, as is all rounding, and what the mesh's volume may
// change while its vertices go from their rounded to their exact places.
//
// axis meshes: each two=TWO
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#define INDICES_B 9
#include "triangle_corners.glsl"
#include "frame.glsl"
layout(std430, binding = 2) buffer Summaries { Summary summary; };
#define HEADS 3
#define NODES 4
#include "rays.glsl"
#include "grid.glsl"
#include "columns.glsl"
#define PLACED_B 10
#include "placed.glsl"
#define SPANS 5
#include "spans_view.glsl"
#include "convert_push.glsl"
#include "numbers.glsl"
#include "pieces.glsl"

#define INFINITY uintBitsToFloat(0x7f800000u)
// Sums are integers of this part of a pixel and a bin, so that they are the same bits in any order.
const float UNITS = 65536.0;
// A unit roundoff of floats.
const float ROUNDING = 1.0 / 16777216.0;

// Sums of 64 bits: of the workgroup, and of the invocation.
shared uint group_sums[4];
uvec2 volume = uvec2(0);
uvec2 doubt = uvec2(0);

void add(inout uvec2 sum, uvec2 term)
{
    uint carry;
    sum.x = uaddCarry(sum.x, term.x, carry);
    sum.y += term.y + carry;
}

// No number is no bound.
void add_doubt(float term)
{
    if (!is_number(term)) term = 4e9;
    term = clamp(term, 0.0, 4e9) + 2.0 / UNITS;
    float whole = floor(term);
    uint parts = uint((term - whole) * UNITS) + 1;
    add(doubt, uvec2(uint(whole) << 16, uint(whole) >> 16));
    add(doubt, uvec2(parts, 0));
}

void add_volume(float term)
{
    if (!is_number(term)) add_doubt(4e9);
    int units = int(round(clamp(is_number(term) ? term : 0.0, -16384.0, 16384.0) * UNITS));
    add(volume, uvec2(uint(units), units < 0 ? MAX_UINT : 0));
}

// Of the frame and the other mesh, read once: software devices pay for every read of a storage buffer.
Grid grid;
uint other_at;
// Heights are counted down from the last end where triangles above the frame are left out.
bool from_top;

// The other mesh's length below the ends of a piece's depths. `covers`: all of them are within a span. `cut`: some are, and some not.
struct Reach {
    vec2 below;
    bool covers;
    bool cut;
};

void take_span(vec2 ends, vec2 depths, inout Reach reach)
{
    vec2 bins = floor(clamp(ends, 0.0, float(grid.bins)));
    if (bins.x >= bins.y) return;
    reach.below += clamp(depths, vec2(bins.x), vec2(bins.y)) - (from_top ? bins.y : bins.x);
    bool covers = bins.x <= depths.x && depths.y <= bins.y;
    reach.covers = reach.covers || covers;
    reach.cut = reach.cut || (!covers && depths.x < bins.y && bins.x < depths.y);
}

Reach reach_of(uint ray, vec4 spans, vec2 depths)
{
    Reach reach = Reach(vec2(0.0), false, false);
    if (!is_long(spans)) {
        take_span(spans.xy, depths, reach);
        take_span(spans.zw, depths, reach);
        return reach;
    }
    uint head = heads[ray], node = head >> 1;
    float start = (head & 1) == 1 ? 0.0 : INFINITY;
    while (node != NIL || start < INFINITY) {
        float depth = node == NIL ? INFINITY : node_depth(node);
        if (start < INFINITY) {
            take_span(vec2(start, depth), depths, reach);
            start = INFINITY;
        } else start = depth;
        if (node != NIL) node = node_next(node);
    }
    return reach;
}

// A triangle and what bounds its pieces.
struct Facet {
    vec3 a;
    Slab slab;
    vec2 slope;
    float height;
    // What the slope is off by, as a part of the height.
    float loose;
    // What areas and moments of pieces are off by.
    float fuzz;
};

// `size` is the triangle's, or one where edges are followed exactly.
Facet facet_of(vec3 a, vec3 b, vec3 c, Box box, bool exactly)
{
    vec3 p = b - a, q = c - a, extent = box.high - box.low;
    float area = p.x * q.y - p.y * q.x, square = max(dot(p.xy, p.xy), dot(q.xy, q.xy));
    Facet facet;
    facet.a = a;
    facet.slab = slab_of(a, b, c, box.low, box.high, box.slack);
    facet.height = extent.z;
    // The products round by 2^-24 of two sides each, and so do the sides.
    bool certain = abs(area) > 32.0 * ROUNDING * square && square > 1e-30;
    facet.slope = certain ? vec2(p.z * q.y - p.y * q.z, p.x * q.z - p.z * q.x) / area : vec2(0.0);
    facet.loose = certain ? 32.0 * ROUNDING * square / abs(area) : 1.0;
    float size = max(extent.x, extent.y);
    facet.fuzz = ROUNDING * (128.0 * (exactly ? 1.0 : size) + 64.0) * min(1.0, 2.0 * size);
    return facet;
}

// Adds the prism under a piece: area and moments, which may be off by `fuzz`. Whether the other mesh begins or ends, or is, there.
void add_piece(Facet facet, Reach reach, vec2 depths, vec3 piece, float fuzz, vec2 pixel)
{
    float area = piece.x, size = abs(area) + fuzz, sizes = abs(reach.below.x) + abs(reach.below.y) + abs(facet.a.z) + abs(depths.x);
    float off = reach.covers ? 16.0 * ROUNDING * size * sizes : 16.0 * ROUNDING * size * (abs(reach.below.x) + abs(reach.below.y));
    if (reach.cut) {
        float height = 0.5 * (reach.below.x + reach.below.y);
        add_volume(area * height);
        add_doubt(off + abs(height) * fuzz + 0.5 * size * (reach.below.y - reach.below.x));
        return;
    }
    float height = reach.below.x + (reach.covers ? facet.a.z - depths.x : 0.0);
    float sum = area * height;
    off += abs(height) * fuzz;
    if (reach.covers) {
        // From the first corner's depth to the piece's own.
        vec2 arm = facet.a.xy - pixel;
        float most = size * facet.height, length = max(abs(arm.x), abs(arm.y));
        sum += clamp(dot(facet.slope, piece.yz - arm * area), -most, most);
        float moved = (abs(facet.slope.x) + abs(facet.slope.y)) * (fuzz * (1.0 + length) + 8.0 * ROUNDING * size * (1.0 + length));
        off += min(2.0 * most, moved) + most * facet.loose;
    }
    add_volume(sum);
    add_doubt(off);
}

// A pixel's column of a triangle. Gives whether the other mesh is, begins or ends at the piece's depths.
bool take_column(Facet facet, Row row, float offset, ivec2 pixel, bool full)
{
    if (any(lessThan(pixel, ivec2(1))) || any(greaterThan(pixel, ivec2(grid.sides) - 2))) return false;
    uint ray = other_at + uint(pixel.y) * grid.sides.x + uint(pixel.x);
    vec4 spans = spans_of(ray);
    if (spans.x == INFINITY) return false;
    float middle = facet.slab.at_origin + dot(facet.slab.slope, vec2(pixel));
    vec2 depths = vec2(max(facet.slab.ends.x, middle - facet.slab.swing), min(facet.slab.ends.y, middle + facet.slab.swing));
    if (depths.x > depths.y) return false;
    Reach reach = reach_of(ray, spans, depths);
    if (!reach.covers && !reach.cut && reach.below.x == 0.0) return false;
    vec3 piece = piece_of(row, float(pixel.x) - offset);
    if (full) piece = vec3(piece.x < 0.0 ? -1.0 : 1.0, 0.0, 0.0);
    add_piece(facet, reach, depths, piece, full ? 0.0 : facet.fuzz, vec2(pixel));
    return reach.covers || reach.cut;
}

// What lies between the triangle's rounded and its exact place, at most: its three projections, each no larger than the box's, times
// the slack across them, within the frame.
void add_slack(Box box, float part)
{
    vec3 low = max(box.low, vec3(0.5, 0.5, 0.0)), high = min(box.high, vec3(vec2(grid.sides) - 1.5, float(grid.bins)));
    vec3 e = max(high - low, vec3(0.0));
    if (all(greaterThan(e, vec3(0.0)))) add_doubt(1.001 * part * (e.x * e.y * box.slack.z + e.y * e.z * box.slack.x + e.z * e.x * box.slack.y));
}

bool take_small(vec3 a, vec3 b, vec3 c)
{
    Box box = box_of(a, b, c, grid);
    ivec2 size = box.to - box.from;
    if (any(greaterThan(size, ivec2(2))) || any(greaterThanEqual(box.high.xy - box.low.xy, vec2(4.0)))) return false;
    // Where workgroups share triangles, the first takes the small ones.
    if (any(lessThan(size, ivec2(0))) || gl_WorkGroupID.y != 0) return true;
    uint columns = near_pixels(a, b, c, box.from, max(box.slack.x, box.slack.y)).columns & box_bits(size);
    Facet facet = facet_of(a, b, c, box, false);
    vec2 from = vec2(box.from);
    bool touched = false;
    for (int k = 0; k <= size.y; ++k) {
        Row row = row_of(a.xy - from, b.xy - from, c.xy - from, float(k), false);
        for (int i = 0; i <= size.x; ++i)
            if ((columns >> (4 * k + i) & 1) == 1 && take_column(facet, row, from.x, box.from + ivec2(i, k), false)) touched = true;
    }
    if (touched) add_slack(box, 1.0);
    return true;
}

// How far within all edges the middle of a pixel is, in units of a pixel's radius as each edge sees it.
float depth_within(vec3 a, vec3 b, vec3 c, vec2 pixel)
{
    float area = certain_area(a, b, c);
    if (area == 0.0) return -1.0;
    vec3 along_u = vec3(b.x - a.x, c.x - b.x, a.x - c.x), along_v = vec3(b.y - a.y, c.y - b.y, a.y - c.y);
    vec3 across = along_u * (pixel.y - vec3(a.y, b.y, c.y)) - along_v * (pixel.x - vec3(a.x, b.x, c.x));
    across *= sign(area) / max(abs(along_u) + abs(along_v), vec3(1e-30));
    return min(across.x, min(across.y, across.z));
}

void take_large(vec3 a, vec3 b, vec3 c)
{
    Box box = box_of(a, b, c, grid);
    Facet facet = facet_of(a, b, c, box, true);
    bool wide = box.to.x > box.from.x && box.to.y > box.from.y, touched = false;
    for (int k = box.from.y + int(gl_WorkGroupID.y); k <= box.to.y; k += int(gl_NumWorkGroups.y)) {
        ivec2 columns = wide ? columns_of_row(a, b, c, float(k), box.slack.xy, grid.sides.x) : ivec2(box.from.x, box.to.x);
        columns = ivec2(max(columns.x, box.from.x), min(columns.y, box.to.x));
        Row row = row_of(a.xy, b.xy, c.xy, float(k), true);
        for (int i = columns.x; i <= columns.y; ++i) {
            bool full = depth_within(a, b, c, vec2(i, k)) > 0.501 + 8.0 * max(box.slack.x, box.slack.y);
            if (take_column(facet, row, 0.0, ivec2(i, k), full)) touched = true;
        }
    }
    // None of those that share it knows of the others.
    if (touched || gl_NumWorkGroups.y > 1) add_slack(box, 1.0 / float(gl_NumWorkGroups.y));
}

void add_to_group(uint at, uvec2 term)
{
    uint before = atomicAdd(group_sums[at], term.x);
    uint high = term.y + (before > MAX_UINT - term.x ? 1 : 0);
    if (high != 0) atomicAdd(group_sums[at + 1], high);
}

void main()
{
    if (gl_LocalInvocationID.x < 4) group_sums[gl_LocalInvocationID.x] = 0;
    barrier();
    grid = load_grid();
    uint mesh = push.mesh + gl_WorkGroupID.z, count = grid.sides.x == 0 || summary.nodes > push.capacity ? 0 : push.counts[mesh];
    vec2 kept = vec2(summary.frame.keep_from[mesh], summary.frame.keep_to[mesh]);
    other_at = (1 - mesh) * grid.sides.x * grid.sides.y;
    from_top = summary.frame.from_above[mesh] == 0;
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint begin = gl_GlobalInvocationID.x; begin < count; begin += 32 * stride) {
        // Large triangles are put off, as in convert.comp.
        uint large = 0;
        for (uint n = 0; n < 32 && begin + n * stride < count; ++n) {
            uvec3 corners = triangle_corners(begin + n * stride);
            vec3 a = place(corners.x), b = place(corners.y), c = place(corners.z);
            if (is_outside(a, b, c, grid, kept)) continue;
            if (!take_small(a, b, c)) large |= 1u << n;
        }
        for (; large != 0; large &= large - 1) {
            uvec3 corners = triangle_corners(begin + uint(findLSB(large)) * stride);
            take_large(place(corners.x), place(corners.y), place(corners.z));
        }
    }
    add_to_group(0, volume);
    add_to_group(2, doubt);
    barrier();
    uint lane = gl_LocalInvocationID.x;
    if (lane >= 2) return;
    uvec2 sum = uvec2(group_sums[2 * lane], group_sums[2 * lane + 1]);
    uint at = lane == 0 ? 2 * mesh : 4;
    uint before = atomicAdd(summary.prisms[at], sum.x);
    uint high = sum.y + (before > MAX_UINT - sum.x ? 1 : 0);
    if (high != 0) atomicAdd(summary.prisms[at + 1], high);
}
