// Where rays cross a triangle: the one rule and the one formula for every generator of layered depth images.
//
// The surface is cut by the rows v = k first. A row cuts an edge whose ends it parts, a row counting as above the vertices on
// it; both triangles of an edge compute that point from the same numbers in the same order. So the cut is made of closed
// polygons, bit for bit, and the same rule once more gives their crossings with the columns u = i: a ray through a vertex,
// along an edge or along a face is no exception, and a closed mesh has as many entries as exits on every ray.

// The part of a row inside a triangle: (u, w) of both ends, the lower u first.
struct Cut {
    vec2 left;
    vec2 right;
    bool enters;
};

// Where an edge whose ends lie on both sides of row k meets it.
vec2 meet(vec3 a, vec3 b, float k)
{
    vec3 low = a.y < b.y ? a : b;
    vec3 high = a.y < b.y ? b : a;
    precise float t = (k - low.y) / (high.y - low.y);
    precise vec2 p = low.xz + (high.xz - low.xz) * t;
    return clamp(p, min(low.xz, high.xz), max(low.xz, high.xz));
}

bool cut_row(vec3 a, vec3 b, vec3 c, float k, out Cut cut)
{
    bvec3 below = lessThanEqual(vec3(a.y, b.y, c.y), vec3(k));
    if (below.x == below.y && below.y == below.z) return false;
    // The corner that the row parts from the other two, the next and the one before.
    bool is_a = below.y == below.z, is_b = below.x == below.z;
    vec3 apex = is_a ? a : is_b ? b : c;
    vec3 next = is_a ? b : is_b ? c : a;
    vec3 last = is_a ? c : is_b ? a : b;
    vec2 leaving = meet(apex, next, k);
    vec2 arriving = meet(apex, last, k);
    bool rises = apex.y <= k;
    vec2 up = rises ? leaving : arriving, down = rises ? arriving : leaving;
    // Seen from +w, counter-clockwise triangles rise on their right: where the rising side is left, the surface faces -w, and a
    // ray along +w enters.
    cut.enters = up.x < down.x;
    cut.left = cut.enters ? up : down;
    cut.right = cut.enters ? down : up;
    return true;
}

// The depth at column u = i, left.x <= i < right.x.
float depth_at(Cut cut, float i)
{
    precise float w = cut.left.y + (cut.right.y - cut.left.y) * ((i - cut.left.x) / (cut.right.x - cut.left.x));
    return clamp(w, min(cut.left.y, cut.right.y), max(cut.left.y, cut.right.y));
}
