// Whether two triangles of one mesh certainly share nothing but the corners that they have in common. Needs pair_axes.glsl.
//
// Ways from a common corner are scaled so that no component is larger than 1; each is off by at most 6.5 e, e = 2^-24 (a difference and a
// division). The product of two has components of at most 2 that are off by at most 30 e. Products of three are off by at most
// 3 (30 + 2 * 6.5) e + 18 e < 256 e, of four, in either order, by at most 396 e < 512 e.
const float OFF_BY_THREE = 1.0 / 65536.0;
const float OFF_BY_FOUR = 1.0 / 32768.0;

// Whether both are certainly on one side.
bool are_above(float p, float q, float error) { return min(p, q) > error; }
bool are_beside(float p, float q, float error) { return are_above(p, q, error) || are_above(-p, -q, error); }

// Whether the plane through one edge of each cone leaves the cones on its two sides.
bool is_plane_between(vec3 edge, vec3 rest, vec3 other_edge, vec3 other_rest)
{
    vec3 n = cross(edge, other_edge);
    return are_beside(dot(n, rest), -dot(n, other_rest), OFF_BY_THREE);
}

// Whether r and s are beyond the line of p or that of q in the plane of p and q.
bool are_outside(vec3 p, vec3 q, vec3 r, vec3 s)
{
    vec3 n = cross(p, q), m = cross(n, p), k = cross(q, n);
    return are_above(-dot(m, r), -dot(m, s), OFF_BY_FOUR) || are_above(-dot(k, r), -dot(k, s), OFF_BY_FOUR);
}

vec3 unit(vec3 v) { return v / max(length(v), 1e-20); }

// Whether the plane square to the difference of the cones' middles leaves them on its two sides. It may be any plane, so it does not matter what
// computing it rounds: a way along it is off by at most 6.5 e and 3 e of the sum of its components.
bool are_opposite(vec3 p, vec3 q, vec3 r, vec3 s)
{
    vec3 n = unit(p) + unit(q) - unit(r) - unit(s);
    float off = (abs(n.x) + abs(n.y) + abs(n.z)) / 1048576.0;
    return are_above(dot(n, p), dot(n, q), off) && are_above(-dot(n, r), -dot(n, s), off);
}

// Whether the cones of p and q and of r and s, at the common corner, have no ray in common.
bool are_cones_apart(vec3 p, vec3 q, vec3 r, vec3 s)
{
    if (are_opposite(p, q, r, s)) return true;
    vec3 n = cross(p, q), m = cross(r, s);
    if (are_beside(dot(n, r), dot(n, s), OFF_BY_THREE) || are_beside(dot(m, p), dot(m, q), OFF_BY_THREE)) return true;
    if (is_plane_between(p, q, r, s) || is_plane_between(p, q, s, r)) return true;
    if (is_plane_between(q, p, r, s) || is_plane_between(q, p, s, r)) return true;
    return are_outside(p, q, r, s) || are_outside(r, s, p, q);
}

// Whether triangles on an edge, with corners p and r beside it, are not folded onto each other.
bool are_unfolded(vec3 edge, vec3 p, vec3 r)
{
    vec3 n = cross(edge, p), m = cross(edge, r);
    return abs(dot(n, r)) > OFF_BY_THREE || dot(n, m) < -OFF_BY_FOUR;
}

// A triangle from its next corner on.
Corners turned(Corners t) { return Corners(t.b, t.c, t.a); }

bool has_corner(uvec3 t, uint corner) { return corner == t.x || corner == t.y || corner == t.z; }

// How many corners of a triangle another one has too.
uint shared_corners(uvec3 a, uvec3 b) { return uint(has_corner(b, a.x)) + uint(has_corner(b, a.y)) + uint(has_corner(b, a.z)); }

// For two triangles with one or two corners in common, none twice.
bool are_neighbours_apart(Corners a, uvec3 of_a, Corners b, uvec3 of_b)
{
    uint count = shared_corners(of_a, of_b);
    if (count != shared_corners(of_b, of_a) || count > 2) return false;
    // The common corner first; of two, the second is the next one in the first triangle.
    for (uint turns = 0; turns < 2; ++turns) {
        if (has_corner(of_b, of_a.x) && (count == 1 || has_corner(of_b, of_a.y))) break;
        a = turned(a);
        of_a = of_a.yzx;
    }
    for (uint turns = 0; turns < 2 && of_b.x != of_a.x; ++turns) {
        b = turned(b);
        of_b = of_b.yzx;
    }
    vec3 p = a.b - a.a, q = a.c - a.a, r = b.b - a.a, s = b.c - a.a;
    float size = max(largest_of(p), largest_of(q, r, s));
    if (!(size > 1e-30 && size < 1e30)) return false;
    p /= size;
    q /= size;
    r /= size;
    s /= size;
    if (count == 1) return are_cones_apart(p, q, r, s);
    return are_unfolded(p, q, of_b.y == of_a.y ? s : r);
}
