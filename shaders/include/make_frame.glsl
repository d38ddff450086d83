// Stage 1: the volume of interest of two boxes, the axis of the rays and from which side each mesh is seen (Heidelberger et
// al. 2003, section 2.1). Every invocation that needs the frame makes it, from `boxes` and its parameters: the same bits, without a
// dispatch of its own. Needs frame.glsl, marks.glsl and numbers.glsl. Partner: query/ldi.rs.

struct FrameParams {
    // Where the poses of the two meshes are.
    float place[6];
    float cell_size;
    uint resolution;
    uint bins;
    // 0, 1, 2, or BEST.
    uint axis;
    uint max_pixels;
    // SHARED, TRUSTED or ALONE.
    uint mode;
};

// The axis on which the outside faces are nearest to each other: Axis of query/ldi.rs.
const uint BEST = 3;
// What rays are made through, Interest of query/ldi.rs: what two boxes share; the same, and what lies beyond is left out; the box of
// one mesh.
const uint SHARED = 0;
const uint TRUSTED = 1;
const uint ALONE = 2;
#define INFINITY uintBitsToFloat(0x7f800000u)

float unordered(uint word) { return uintBitsToFloat((word >> 31) == 1u ? word & 0x7fffffffu : ~word); }
vec3 box_low(uint mesh) { return vec3(unordered(boxes[6 * mesh]), unordered(boxes[6 * mesh + 1]), unordered(boxes[6 * mesh + 2])); }
vec3 box_high(uint mesh)
{
    return vec3(unordered(~boxes[6 * mesh + 3]), unordered(~boxes[6 * mesh + 4]), unordered(~boxes[6 * mesh + 5]));
}

// How far a vertex can be from its exact place: see rounding() in query/bounds.rs, with room for the rounding here.
float rounding(FrameParams params, uint mesh)
{
    vec3 place = vec3(params.place[3 * mesh], params.place[3 * mesh + 1], params.place[3 * mesh + 2]);
    vec3 farthest = max(abs(box_low(mesh)), abs(box_high(mesh))) + abs(place);
    return 24.0 / 16777216.0 * (length(farthest) + length(place)) + 1e-30;
}

// Between outside faces on opposite sides; where one box is inside the other, its volume of interest is extended on the
// cheaper side until it touches the other's face. `above` is 1 when the first mesh is the one seen from above.
float face_distance(vec2 a, vec2 b, out bool above)
{
    float up = a.y - b.x, down = b.y - a.x;
    // The first is seen from above when its upper face is above the second's and the other way round below.
    above = up <= down;
    return min(up, down);
}

Frame make_frame(FrameParams params)
{
    vec3 low_a = box_low(0), high_a = box_high(0);
    vec3 low_b = params.mode == ALONE ? low_a : box_low(1), high_b = params.mode == ALONE ? high_a : box_high(1);
    float error_a = rounding(params, 0), error_b = params.mode == ALONE ? error_a : rounding(params, 1);
    low_a -= error_a;
    high_a += error_a;
    low_b -= error_b;
    high_b += error_b;
    vec3 low = max(low_a, low_b), high = min(high_a, high_b);

    uint axis = params.axis;
    bvec3 above;
    vec3 distances;
    for (uint i = 0; i < 3; ++i) {
        bool seen_from_above;
        distances[i] = face_distance(vec2(low_a[i], high_a[i]), vec2(low_b[i], high_b[i]), seen_from_above);
        above[i] = seen_from_above;
    }
    if (axis == BEST) axis = distances.x <= distances.y && distances.x <= distances.z ? 0 : distances.y <= distances.z ? 1 : 2;

    low = turned(low, axis);
    high = turned(high, axis);
    vec3 size = high - low;
    bool empty = any(lessThan(size, vec3(0.0))) || any(greaterThanEqual(size, vec3(1e30)))
              || !is_number(size.x + size.y + size.z);
    // Flat volumes of interest get a thickness that can be divided by.
    float widest = max(size.x, max(size.y, size.z));
    size = max(size, vec3(max(max(1e-5 * widest, 1e-30), 8.0 * max(error_a, error_b))));
    vec3 cell = params.cell_size > 0.0 ? vec3(params.cell_size, params.cell_size, size.z / float(params.bins))
                                     : size / vec3(params.resolution, params.resolution, params.bins);
    // The sides are bounded before they become integers.
    uvec2 inner = params.cell_size > 0.0 ? uvec2(clamp(ceil(size.xy / cell.xy), vec2(1.0), vec2(60000.0))) : uvec2(params.resolution);
    uvec2 sides = inner + 2;
    // Memory is for whole blocks of pixels: see marks.glsl.
    uint wanted = 4 * blocks_of(sides);
    bool fits = wanted <= params.max_pixels;

    Frame frame;
    frame.axis = axis;
    frame.bins = params.bins;
    frame.wanted_pixels = empty ? 0 : wanted;
    frame.width = empty || !fits ? 0 : sides.x;
    frame.height = empty || !fits ? 0 : sides.y;
    for (uint i = 0; i < 3; ++i) {
        frame.scale[i] = 1.0 / cell[i];
        frame.origin[i] = i < 2 ? low[i] - 0.5 * cell[i] : low[i];
        frame.slack[i] = max(error_a, error_b) / cell[i] + 1e-5;
    }
    bool trusted = params.mode == TRUSTED;
    bool a_above = above[axis];
    frame.from_above[0] = trusted && a_above ? 1 : 0;
    frame.from_above[1] = trusted && !a_above ? 1 : 0;
    for (uint mesh = 0; mesh < 2; ++mesh) {
        bool from_above = frame.from_above[mesh] == 1;
        frame.keep_from[mesh] = trusted && from_above ? 0.0 : -INFINITY;
        frame.keep_to[mesh] = trusted && !from_above ? float(params.bins) : INFINITY;
    }
    return frame;
}
