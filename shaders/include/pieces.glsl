// The part of a triangle in a pixel: its area, positive where rays along +w leave, and first moments about the pixel's centre. By Green's
// theorem they are sums over the edges, each cut to the pixel's row and then held within its sides. Partner: volume/prisms.comp.

// The parts of a triangle's edges in a row of pixels, an edge in each coordinate: v counted from the row's middle, u in two floats, the
// second what the first leaves.
struct Row {
    vec3 turn;
    vec3 from_v;
    vec3 to_v;
    vec3 from_u;
    vec3 from_rest;
    vec3 to_u;
    vec3 to_rest;
};

vec2 exact_difference(float a, float b)
{
    precise float d = a - b, back = a - d;
    precise float rest = (a - (d + back)) + (back - b);
    return vec2(d, rest);
}

vec2 exact_product(float a, float b)
{
    precise float p = a * b, over_a = 4097.0 * a, over_b = 4097.0 * b;
    precise float high_a = over_a - (over_a - a), high_b = over_b - (over_b - b);
    precise float low_a = a - high_a, low_b = b - high_b;
    precise float rest = ((high_a * high_b - p) + high_a * low_b + low_a * high_b) + low_a * low_b;
    return vec2(p, rest);
}

// Where a long edge meets a row, to more digits than a float has: the quotient's own error is divided once more.
vec2 meet_exactly(vec2 low, vec2 high, float v)
{
    vec2 along = exact_difference(high.x, low.x), up = exact_difference(high.y, low.y), part = exact_difference(v, low.y);
    precise float first = along.x * (part.x / max(up.x, 1e-30));
    vec2 wanted = exact_product(along.x, part.x), had = exact_product(first, up.x);
    precise float missing = (wanted.x - had.x) + (wanted.y - had.y) + (along.x * part.y + along.y * part.x - first * up.y);
    precise float second = missing / max(up.x, 1e-30);
    vec2 place = exact_difference(low.x, -first);
    precise float rest = place.y + second;
    return vec2(place.x, rest);
}

// Of a triangle of a few pixels floats are enough.
vec2 meet_shortly(vec2 low, vec2 high, float v)
{
    return vec2(low.x + (high.x - low.x) * clamp((v - low.y) / max(high.y - low.y, 1e-30), 0.0, 1.0), 0.0);
}

Row row_of(vec2 a, vec2 b, vec2 c, float k, bool exactly)
{
    Row row;
    for (int i = 0; i < 3; ++i) {
        vec2 p = i == 0 ? a : i == 1 ? b : c, q = i == 0 ? b : i == 1 ? c : a;
        vec2 low = p.y < q.y ? p : q, high = p.y < q.y ? q : p;
        float from = clamp(low.y, k - 0.5, k + 0.5), to = clamp(high.y, k - 0.5, k + 0.5);
        // An edge beside the row has no part in it, wherever that is.
        vec2 first = from == low.y || from == to ? vec2(low.x, 0.0) : exactly ? meet_exactly(low, high, from) : meet_shortly(low, high, from);
        vec2 last = to == high.y || from == to ? vec2(high.x, 0.0) : exactly ? meet_exactly(low, high, to) : meet_shortly(low, high, to);
        row.turn[i] = p.y < q.y ? 1.0 : -1.0;
        row.from_v[i] = from - k;
        row.to_v[i] = to - k;
        row.from_u[i] = first.x;
        row.from_rest[i] = first.y;
        row.to_u[i] = last.x;
        row.to_rest[i] = last.y;
    }
    return row;
}

// Of the pixel in column `i` of the row.
vec3 piece_of(Row row, float i)
{
    vec3 u0 = (row.from_u - i) + row.from_rest, u1 = (row.to_u - i) + row.to_rest;
    vec3 v0 = row.from_v, rise = row.to_v - row.from_v;
    // From the pixel's left side, within the pixel.
    vec3 c0 = clamp(u0, -0.5, 0.5) + 0.5, c1 = clamp(u1, -0.5, 0.5) + 0.5;
    vec3 across = u1 - u0;
    across = mix(vec3(1e-20), across, greaterThan(abs(across), vec3(1e-20)));
    vec3 left = clamp((-0.5 - u0) / across, 0.0, 1.0), right = clamp((0.5 - u0) / across, 0.0, 1.0);
    // Beside the pixel up to va, through it up to vb, beside it again.
    vec3 va = v0 + rise * min(left, right), vb = v0 + rise * max(left, right);
    vec3 before = va - v0, through = vb - va, after = row.to_v - vb;
    vec3 area = c0 * before + 0.5 * (c0 + c1) * through + c1 * after;
    vec3 squares = 0.5 * c0 * c0 * before + (c0 * c0 + c0 * c1 + c1 * c1) / 6.0 * through + 0.5 * c1 * c1 * after;
    vec3 over_v = 0.5 * c0 * (va + v0) * before + (c0 * (2.0 * va + vb) + c1 * (va + 2.0 * vb)) / 6.0 * through
                + 0.5 * c1 * (row.to_v + vb) * after;
    return vec3(dot(row.turn, area), dot(row.turn, squares - 0.5 * area), dot(row.turn, over_v));
}
