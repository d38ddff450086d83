// Whether two triangles are certainly apart: by directions in which all of one comes before all of the other, square to the triangles and to an
// edge of each (the separating axes of Gottschalk, Lin and Manocha, "OBBTree", 1996, of two triangles), and in a plane of one square to its
// edges, because triangles that are nearly in one plane have no other. Needs pair_search.glsl.
//
// Any direction will do, so it does not matter what computing it rounds. Corners of the first triangle are exact, those of the second may be off
// by s. Let w bound the components of the ways from the first triangle's first corner, N the sum of the direction's components, e = 2^-24. A way is
// off by e w, and by s to the second triangle; its product with the direction by N (s + e w) and by 3 e N w for what is rounded; the
// difference of two products by less than N (s + 12 e w).

struct Corners {
    vec3 a;
    vec3 b;
    vec3 c;
};

float largest_of(vec3 v) { return max(abs(v.x), max(abs(v.y), abs(v.z))); }
float largest_of(vec3 u, vec3 v, vec3 w) { return max(largest_of(u), max(largest_of(v), largest_of(w))); }

// From the first corner of the first triangle to the others of both, and a bound of what they are off by, for each unit of a direction.
struct Ways {
    vec3 u;
    vec3 v;
    vec3 x;
    vec3 y;
    vec3 z;
    float off;
};

// Whether the triangles are certainly farther apart than `within` along a direction.
bool is_between(vec3 n, Ways ways, float within)
{
    float pu = dot(n, ways.u), pv = dot(n, ways.v), px = dot(n, ways.x), py = dot(n, ways.y), pz = dot(n, ways.z);
    float before = min(px, min(py, pz)) - max(0.0, max(pu, pv));
    float after = min(0.0, min(pu, pv)) - max(px, max(py, pz));
    // Sums of magnitudes are no less than lengths.
    float sum = abs(n.x) + abs(n.y) + abs(n.z);
    float size = largest_of(n);
    float reach = within == 0.0 || size < 1e-30 ? within * sum : min(sum, 1.0001 * size * length(n / size)) * within;
    return max(before, after) > 1.0001 * (sum * ways.off + reach) + TINY;
}

// `t` is exact, and `other` off by s. Drivers count the turns of loops, so there is none.
bool are_apart(Corners t, Corners other, float s, float within)
{
    Ways ways;
    ways.u = t.b - t.a;
    ways.v = t.c - t.a;
    ways.x = other.a - t.a;
    ways.y = other.b - t.a;
    ways.z = other.c - t.a;
    float w = max(max(largest_of(ways.u), largest_of(ways.v)), largest_of(ways.x, ways.y, ways.z));
    // Nothing below can overflow.
    if (!(w < 1e7)) return false;
    ways.off = s + w / 1048576.0;
    vec3 a = ways.u, b = t.c - t.b, c = ways.v, d = other.b - other.a, e = other.c - other.b, f = other.c - other.a;
    vec3 n = cross(a, c), m = cross(d, f);
    return is_between(n, ways, within) || is_between(m, ways, within) || is_between(cross(n, a), ways, within) ||
           is_between(cross(n, b), ways, within) || is_between(cross(n, c), ways, within) || is_between(cross(m, d), ways, within) ||
           is_between(cross(m, e), ways, within) || is_between(cross(m, f), ways, within) || is_between(cross(a, d), ways, within) ||
           is_between(cross(a, e), ways, within) || is_between(cross(a, f), ways, within) || is_between(cross(b, d), ways, within) ||
           is_between(cross(b, e), ways, within) || is_between(cross(b, f), ways, within) || is_between(cross(c, d), ways, within) ||
           is_between(cross(c, e), ways, within) || is_between(cross(c, f), ways, within);
}
