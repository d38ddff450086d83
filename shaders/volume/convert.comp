#version 460
// Scan conversion of a mesh into the lists of its rays, and into marks of the depth bins where its surface passes through a
// pixel's column. An invocation takes a triangle. Partner: query/ldi/generators.rs.
// Where the crossings are drawn instead, only the marks are made; where no one asks for marks, only the crossings.
//
// Most triangles are no larger than a pixel or two. What they touch of three by three columns follows from their edges at once, and
// only the rays that are then left are looked at closely. The others are put off until the end: software devices go through a branch
// for every triangle when they go through it for one.
//
// axis work: both=MARK,CROSS marks=MARK crossings=CROSS
// axis meshes: each two=TWO
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#define INDICES_B 9
#include "triangle_corners.glsl"
#include "frame.glsl"
#include "crossing.glsl"
layout(std430, binding = 2) buffer Summaries { Summary summary; };
#ifdef CROSS
#define HEADS 3
#define NODES 4
#include "rays.glsl"
#define COUNTS 5
#define DEPTHS 6
#define TAGS 7
#include "slots.glsl"
#endif
#ifdef MARK
layout(std430, binding = 8) buffer Marks { uint marks[]; };
#endif

#include "grid.glsl"
#include "marks.glsl"
#include "columns.glsl"
#define PLACED_B 10
#include "placed.glsl"
#include "convert_push.glsl"
#ifdef CROSS
#include "add_crossing.glsl"
#endif

bool is_marked(Box box, Grid grid) { return box.high.z >= 0.0 && box.low.z <= float(grid.bins); }

// Words of marks that a small triangle is deep, at most.
const uint MOST_WORDS = 4;

#ifdef MARK
// Marks the bins of the triangle in the columns that are set, counted from pixel `from`, in the words of depth from words.x to words.y.
void mark_near(Slab slab, uint columns, ivec2 from, uvec2 words, Grid grid, uint at)
{
    // Into blocks: four by four pixels from an even one, and then the two middle bits of a pixel's number change places.
    columns <<= (from.x & 1) + 4 * (from.y & 1);
    uint moved = (columns ^ (columns >> 2)) & 0x0c0c;
    columns ^= moved ^ (moved << 2);
    // For each block with a pixel one bit for each word; at most MOST_WORDS of them.
    uint blocks = columns | columns >> 1;
    blocks = (blocks | blocks >> 2) & 0x1111;
    uint left = blocks * ((2u << (words.y - words.x)) - 1);
    uint words_each = grid.bins / 8, row = blocks_across(grid.sides) * words_each;
    at += block_of(uvec2(from), grid.sides) * words_each + words.x;
    vec2 slope = slab.slope;
    float first = slab.at_origin + dot(slope, vec2(from & ~1)) - float(8 * words.x);
    vec2 ends = slab.ends - float(8 * words.x);
    while (left != 0) {
        uint next = uint(findLSB(left)), word = next & 3;
        left &= left - 1;
        float here = first + ((next & 4) != 0 ? 2.0 * slope.x : 0.0) + ((next & 8) != 0 ? 2.0 * slope.y : 0.0);
        vec4 middle = here + vec4(0.0, slope.x, slope.y, slope.x + slope.y);
        ivec4 low = ivec4(max(middle - slab.swing, ends.x)), high = ivec4(min(middle + slab.swing, ends.y)) + 1;
        low = clamp(low - int(8 * word), 0, 8);
        high = clamp(high - int(8 * word), low, ivec4(8));
        uvec4 set = ((uvec4(1) << high) - (uvec4(1) << low)) * (uvec4(columns >> (next & 12)) >> uvec4(0, 1, 2, 3) & 1);
        uint bits = set.x | set.y << 8 | set.z << 16 | set.w << 24;
        if (bits != 0) atomicOr(marks[at + ((next & 8) != 0 ? row : 0) + ((next & 4) != 0 ? words_each : 0) + word], bits);
    }
}

// Marks every bin that the triangle passes through within a pixel's column. For the certificate it may mark too much, never too
// little: the triangle's exact place is within `slack` of its rounded one.
void mark_columns(vec3 a, vec3 b, vec3 c, Slab slab, vec2 slack, ivec2 from, ivec2 to, Grid grid, uint at)
{
    uvec2 sides = grid.sides;
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
                ivec2 row = wide ? columns_of_row(a, b, c, float(k), slack, sides.x) : ivec2(from.x, to.x);
                i = max(from.x, row.x);
                end = min(to.x, row.y);
                continue;
            }
            float middle = slab.at_origin + dot(slab.slope, vec2(i, k));
            vec2 here = vec2(max(slab.ends.x, middle - slab.swing), min(slab.ends.y, middle + slab.swing));
            if (here.y >= 0.0 && here.x <= float(grid.bins)) {
                bins = min(uvec2(clamp(here, vec2(0.0), vec2(grid.bins - 1))), grid.bins - 1);
                word = bins.x / 8;
                last_word = bins.y / 8;
            }
            ++i;
        }
        uint bits = 0xff;
        if (word == bins.x / 8) bits &= 0xffu << (bins.x % 8);
        if (word == bins.y / 8) bits &= 0xffu >> (7 - bins.y % 8);
        uvec2 pixel = uvec2(i - 1, k);
        atomicOr(marks[at + block_of(pixel, sides) * (grid.bins / 8) + word], bits << shift_in_block(pixel));
        ++word;
    }
}
#endif

#ifdef CROSS
// A crossing of a triangle and one ray; `there` says whether they cross.
struct Crossing {
    bool there;
    uint at;
    float depth;
    uint tag;
};

// With the first of the rays that are set, which then is not.
Crossing next_crossing(vec3 a, vec3 b, vec3 c, uint triangle, inout uint rays, ivec2 from, Grid grid, uint mesh_at)
{
    int next = findLSB(rays);
    rays &= rays - 1;
    ivec2 pixel = from + ivec2(next & 3, next >> 2);
    float u = float(pixel.x);
    Cut cut;
    bool there = cut_row(a, b, c, float(pixel.y), cut) && cut.left.x <= u && u < cut.right.x;
    return Crossing(there, mesh_at + uint(pixel.y) * grid.sides.x + uint(pixel.x), depth_at(cut, u), triangle | (cut.enters ? ENTERS : 0));
}

// The crossings with the rays that are set, into slots. Whether any found them full.
bool cross_near(vec3 a, vec3 b, vec3 c, uint triangle, uint rays, ivec2 from, Grid grid, uint mesh_at)
{
    bool full = false;
    while (rays != 0) {
        Crossing crossing = next_crossing(a, b, c, triangle, rays, from, grid, mesh_at);
        if (crossing.there && !add_to_slots(crossing.at, crossing.depth, crossing.tag)) full = true;
    }
    return full;
}

// Whether a crossing is in a ray's slots: this invocation put it there, and no other has the triangle.
bool is_in_slots(uint at, uint tag)
{
    uint slot = SLOTS * at;
    return slot_tags[slot] == tag || slot_tags[slot + 1] == tag || slot_tags[slot + 2] == tag || slot_tags[slot + 3] == tag;
}

// The crossings that cross_near found no slots for, into lists.
void list_near(vec3 a, vec3 b, vec3 c, uint triangle, Grid grid, uint mesh_at)
{
    Box box = box_of(a, b, c, grid);
    uint rays = near_pixels(a, b, c, box.from, max(box.slack.x, box.slack.y)).rays & box_bits(box.to - box.from);
    while (rays != 0) {
        Crossing crossing = next_crossing(a, b, c, triangle, rays, box.from, grid, mesh_at);
        if (crossing.there && is_depth(crossing.depth) && !is_in_slots(crossing.at, crossing.tag))
            add_to_list(crossing.at, crossing.depth, crossing.tag);
    }
}

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
#endif

// What is left to do of a triangle.
const uint NOTHING = 0;
const uint LARGE = 1;
const uint LISTS = 2;

uint convert_small(vec3 a, vec3 b, vec3 c, uint triangle, Grid grid, uint mesh_at, uint marks_at)
{
    Box box = box_of(a, b, c, grid);
    ivec2 size = box.to - box.from;
    bool marked = is_marked(box, grid);
    uvec2 words = min(uvec2(clamp(vec2(box.low.z, box.high.z), vec2(0.0), vec2(grid.bins - 1))), grid.bins - 1) / 8;
    bool small = all(lessThan(size, ivec2(3))) && all(lessThan(box.high.xy - box.low.xy, vec2(4.0)))
              && (!marked || words.y - words.x < MOST_WORDS);
    if (!small) return LARGE;
    // Where workgroups share triangles, the first takes the small ones.
    if (any(lessThan(size, ivec2(0))) || gl_WorkGroupID.y != 0) return NOTHING;
    Near near = near_pixels(a, b, c, box.from, max(box.slack.x, box.slack.y));
    uint within = box_bits(size);
#ifdef MARK
    if (marked) mark_near(slab_of(a, b, c, box.low, box.high, box.slack), near.columns & within, box.from, words, grid, marks_at);
#endif
#ifdef CROSS
    if (cross_near(a, b, c, triangle, near.rays & within, box.from, grid, mesh_at)) return LISTS;
#endif
    return NOTHING;
}

void convert_large(vec3 a, vec3 b, vec3 c, uint triangle, Grid grid, uint mesh_at, uint marks_at)
{
#ifdef MARK
    Box box = box_of(a, b, c, grid);
    Slab slab = slab_of(a, b, c, box.low, box.high, box.slack);
    if (is_marked(box, grid)) mark_columns(a, b, c, slab, box.slack.xy, box.from, box.to, grid, marks_at);
#endif
#ifdef CROSS
    cross_rays(a, b, c, triangle, grid, mesh_at);
#endif
}

void main()
{
    Grid grid = load_grid();
    if (grid.sides.x == 0) return;
    uint mesh = push.mesh + gl_WorkGroupID.z, count = push.counts[mesh];
    vec2 kept = vec2(summary.frame.keep_from[mesh], summary.frame.keep_to[mesh]);
    uint mesh_at = mesh * grid.sides.x * grid.sides.y;
    uint marks_at = mesh * blocks_of(grid.sides) * (grid.bins / 8);
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint begin = gl_GlobalInvocationID.x; begin < count; begin += 32 * stride) {
        uint large = 0, full = 0;
        for (uint n = 0; n < 32 && begin + n * stride < count; ++n) {
            uint t = begin + n * stride;
            uvec3 corners = triangle_corners(t);
            vec3 a = place(corners.x), b = place(corners.y), c = place(corners.z);
            if (is_outside(a, b, c, grid, kept)) continue;
            uint left = convert_small(a, b, c, t, grid, mesh_at, marks_at);
            large |= left == LARGE ? 1u << n : 0;
            full |= left == LISTS ? 1u << n : 0;
        }
        for (; large != 0; large &= large - 1) {
            uint t = begin + uint(findLSB(large)) * stride;
            uvec3 corners = triangle_corners(t);
            convert_large(place(corners.x), place(corners.y), place(corners.z), t, grid, mesh_at, marks_at);
        }
#ifdef CROSS
        for (; full != 0; full &= full - 1) {
            uint t = begin + uint(findLSB(full)) * stride;
            uvec3 corners = triangle_corners(t);
            list_near(place(corners.x), place(corners.y), place(corners.z), t, grid, mesh_at);
        }
#endif
    }
}
