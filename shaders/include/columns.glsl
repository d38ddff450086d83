// Which pixels' columns a triangle may touch, and at what depths: too many rather than too few, since a triangle's exact place is within
// a slack of its rounded one. Needs grid.glsl. Partner: query/ldi/generators.rs.

// How far places may be from where they are computed to be: rounding is relative to the coordinates, and triangles may reach far
// beyond the frame.
vec3 slack_of(vec3 low, vec3 high, Grid grid)
{
    float rounding = 1e-6 * max(max(abs(low.x), abs(high.x)), max(abs(low.y), abs(high.y)));
    return grid.slack + vec3(rounding, rounding, 1e-6 * max(abs(low.z), abs(high.z)));
}

// The box of pixels whose footprints a triangle may touch, and its exact place in between.
struct Box {
    vec3 slack;
    vec3 low;
    vec3 high;
    ivec2 from;
    ivec2 to;
};

Box box_of(vec3 a, vec3 b, vec3 c, Grid grid)
{
    Box box;
    box.low = min(a, min(b, c));
    box.high = max(a, max(b, c));
    box.slack = slack_of(box.low, box.high, grid);
    box.low -= box.slack;
    box.high += box.slack;
    // Footprints are half a pixel to each side.
    box.from = ivec2(first_at(box.low.x - 0.5, grid.sides.x), first_at(box.low.y - 0.5, grid.sides.y));
    box.to = ivec2(last_at(box.high.x + 0.5, grid.sides.x), last_at(box.high.y + 0.5, grid.sides.y));
    return box;
}

// Twice the area of the triangle as the rays see it, or zero where it is so thin that even the sign is not certain: rounding is at
// most 2^-22 of the product of two sides, and here the area is 2^-7 of it.
float certain_area(vec3 a, vec3 b, vec3 c)
{
    vec2 p = b.xy - a.xy, q = c.xy - a.xy;
    float area = p.x * q.y - p.y * q.x;
    return abs(area) > 0.0078125 * max(dot(p, p), dot(q, q)) ? area : 0.0;
}

// What a triangle may touch of three by three pixels, a row in each four bits: columns whose footprints it comes into, and rays.
struct Near {
    uint columns;
    uint rays;
};

// By the edges' sides: all of a footprint is outside an edge where its centre is farther out than the footprint reaches. Distances are
// taken in units of the footprint's radius. The slack is more than the places, and this arithmetic on sides of four pixels, can be off. Of a
// thin triangle nothing is ruled out.
Near near_pixels(vec3 a, vec3 b, vec3 c, ivec2 from, float slack)
{
    float area = certain_area(a, b, c);
    float turn = area < 0.0 ? -1.0 : area > 0.0 ? 1.0 : 0.0;
    vec3 along_u = vec3(b.x - a.x, c.x - b.x, a.x - c.x), along_v = vec3(b.y - a.y, c.y - b.y, a.y - c.y);
    vec3 unit = turn / max(abs(along_u) + abs(along_v), vec3(1e-30));
    along_u *= unit;
    along_v *= unit;
    vec3 row = along_u * (float(from.y) - vec3(a.y, b.y, c.y)) - along_v * (float(from.x) - vec3(a.x, b.x, c.x));
    Near near = Near(0, 0);
    for (uint k = 0; k < 3; ++k) {
        vec3 edges = row;
        for (uint i = 0; i < 3; ++i) {
            float inside = min(edges.x, min(edges.y, edges.z));
            near.columns |= inside >= -0.5 - slack ? 1u << (4 * k + i) : 0u;
            near.rays |= inside >= -slack ? 1u << (4 * k + i) : 0u;
            edges -= along_v;
        }
        row += along_u;
    }
    return near;
}

// The bits of a box of pixels, as many as `size` and one more on each side.
uint box_bits(ivec2 size) { return (0x111u & ((16u << (4 * size.y)) - 1)) * ((2u << size.x) - 1); }

// What bounds a triangle's depths over a pixel's footprint: its plane, and its corners.
struct Slab {
    float at_origin;
    vec2 slope;
    float swing;
    vec2 ends;
};

// `low` to `high` holds the triangle's exact place. Where it is so thin that its plane is not certain, only its corners bound it.
Slab slab_of(vec3 a, vec3 b, vec3 c, vec3 low, vec3 high, vec3 slack)
{
    vec3 p = b - a, q = c - a;
    float area = certain_area(a, b, c);
    vec2 slope = area != 0.0 ? vec2(p.z * q.y - p.y * q.z, p.x * q.z - p.z * q.x) / area : vec2(0.0);
    // Half a footprint, and what the slope's own rounding, 2^-13 of it, does over the triangle's size.
    vec2 half_side = 0.5 + slack.xy + 0.000244140625 * (high.xy - low.xy + 1.0);
    float swing = area != 0.0 ? dot(abs(slope), half_side) + slack.z : 3e38;
    return Slab(a.z - dot(slope, a.xy), slope, swing, vec2(low.z, high.z));
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
