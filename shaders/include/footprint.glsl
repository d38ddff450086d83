// What a fragment stands for: the part of its triangle within its pixel. It is sampled at the triangle's point nearest to the pixel's
// centre, so that a sample always lies on the triangle, and slivers and specks have samples too. Needs views.glsl.

struct Footprint {
    // In the view.
    vec3 point;
    // The part of the triangle within the pixel is no farther from the point than this.
    float radius;
    // Whether the triangle comes as near as the pixel's corners.
    bool touches;
};

vec3 nearest_on_segment(vec3 a, vec3 b, vec2 p)
{
    vec2 ab = b.xy - a.xy;
    float square = dot(ab, ab);
    return square > 0.0 ? a + clamp(dot(p - a.xy, ab) / square, 0.0, 1.0) * (b - a) : a;
}

vec3 nearer(vec3 a, vec3 b, vec2 p) { return dot(a.xy - p, a.xy - p) <= dot(b.xy - p, b.xy - p) ? a : b; }

// The point of a triangle whose place in the view is nearest to p.
vec3 nearest_in_view(vec3 a, vec3 b, vec3 c, vec2 p)
{
    vec2 ab = b.xy - a.xy, ac = c.xy - a.xy, ap = p - a.xy;
    float area = ab.x * ac.y - ab.y * ac.x;
    float v = (ap.x * ac.y - ap.y * ac.x) / area, w = (ab.x * ap.y - ab.y * ap.x) / area;
    if (v >= 0.0 && w >= 0.0 && v + w <= 1.0) return a + v * (b - a) + w * (c - a);
    return nearer(nearest_on_segment(a, b, p), nearer(nearest_on_segment(b, c, p), nearest_on_segment(c, a, p), p), p);
}

// The footprint of the triangle abc, in the view, on the pixel around `centre`.
Footprint footprint_of(vec3 a, vec3 b, vec3 c, bool thin, vec2 centre, float pixel)
{
    vec3 normal = cross(b - a, c - a);
    vec3 p;
    float stretch, height = 0.0;
    if (thin) {
        vec3 ab = b - a, bc = c - b, ca = a - c;
        vec3 start = a, edge = ab;
        if (dot(bc, bc) > dot(edge, edge)) { start = b; edge = bc; }
        if (dot(ca, ca) > dot(edge, edge)) { start = c; edge = ca; }
        p = nearest_on_segment(start, start + edge, centre);
        float size = length(edge);
        height = size > 0.0 ? length(normal) / size + 1e-6 * size : 0.0;
        stretch = 1.23;
    } else {
        p = nearest_in_view(a, b, c, centre);
        stretch = 1.002 * length(normal) / abs(normal.z);
    }
    vec2 off = p.xy - centre;
    float half_diagonal = 0.73 * pixel + height;
    Footprint f;
    f.point = p;
    f.touches = dot(off, off) <= 1.002 * half_diagonal * half_diagonal;
    // A view of a triangle is convex: seen from its point nearest to the centre, what is left of it turns away.
    float within = sqrt(max(1.002 * half_diagonal * half_diagonal - dot(off, off), 0.0));
    vec3 pa = a - p, pb = b - p, pc = c - p;
    float farthest = 1.001 * sqrt(max(dot(pa, pa), max(dot(pb, pb), dot(pc, pc))));
    f.radius = min(stretch * within + height, farthest) + 1e-4 * pixel;
    return f;
}
