// Three orthographic views along the axes of a field's frame (Morvan et al. 2008, section 3.2), zoomed in on the box of what is
// drawn (section 6). All views have square pixels of one size. Needs ordered.glsl. Partner: query/views.rs.

struct Views {
    // The box: integers in the order of the floats, the upper ones complemented, so that both are found by minima.
    uint low[3];
    // Pixels along a side.
    float resolution;
    uint high[3];
    // No place in the box is off by more than this times its largest coordinate; see meeting.glsl.
    float shift;
};

struct View {
    // The lower corner of the box, and the side of a pixel.
    vec3 corner;
    float pixel;
};

View view_of(Views views)
{
    vec3 low = vec3(unordered(views.low[0]), unordered(views.low[1]), unordered(views.low[2]));
    vec3 high = vec3(unordered(~views.high[0]), unordered(~views.high[1]), unordered(~views.high[2]));
    vec3 size = high - low;
    float longest = max(size.x, max(size.y, size.z));
    vec3 far = max(abs(low), abs(high));
    // Eight times what placing is off by, so that a pixel's number is off by an eighth at most.
    float least = 1e-5 * (max(far.x, max(far.y, far.z)) + 2.0 * views.shift) + 1e-30;
    // A thousandth on each side for what rounding puts outside.
    float margin = 1e-3 * longest + least;
    return View(low - margin, max((longest + 2.0 * margin) / views.resolution, least));
}

// A point of the field's frame seen along an axis: across, up, away; and back.
vec3 seen(vec3 p, uint axis) { return axis == 0 ? p.yzx : axis == 1 ? p.zxy : p; }
vec3 unseen(vec3 p, uint axis) { return axis == 0 ? p.zxy : axis == 1 ? p.yzx : p; }

// Triangles thinner than this part of their length are treated as segments: their normals are mostly rounding.
const float THIN = 1e-3;

struct Side {
    uint axis;
    bool thin;
};

// The axis that a triangle is seen along: the largest coordinate of its normal, so that a step in the view is at most sqrt(3)
// times as long on the triangle. A thin one that is grown is seen along the least coordinate of its longest edge: sqrt(3/2).
Side side_of(vec3 a, vec3 b, vec3 c)
{
    vec3 ab = b - a, bc = c - b, ca = a - c;
    vec3 normal = cross(ab, ca);
    vec3 longest = dot(ab, ab) > dot(bc, bc) ? ab : bc;
    if (dot(ca, ca) > dot(longest, longest)) longest = ca;
#ifdef GROWN
    bool thin = length(normal) <= THIN * dot(longest, longest);
#else
    bool thin = false;
#endif
    vec3 key = thin ? -abs(longest) : abs(normal);
    uint axis = key.x >= key.y && key.x >= key.z ? 0 : key.y >= key.z ? 1 : 2;
    return Side(axis, thin);
}

// Corner `k` of a triangle that covers the centre of every pixel that the triangle abc, in pixels, touches. Either similar to
// abc with every edge moved out, or around a rectangle on the longest edge, whichever is smaller: the one grows without bound at
// sharp corners, the other is as thin as it can be there (Govindaraju et al. 2004, section 4.1).
vec2 cover(vec2 a, vec2 b, vec2 c, uint k)
{
    // Half a pixel's diagonal, and what snapping to subpixels and clipping may lose.
    vec2 far = max(abs(a), max(abs(b), abs(c)));
    float out_by = 0.95711 + 1e-6 * max(far.x, far.y);
    float la = length(c - b), lb = length(a - c), lc = length(b - a);
    float around = la + lb + lc;
    float doubled = abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
    // The inscribed circle has the radius doubled / around; moving the edges out scales about its middle.
    float grown = (doubled + out_by * around) * (doubled + out_by * around);
    float longest = max(la, max(lb, lc));
    vec2 along = longest <= 0.0 ? vec2(1.0, 0.0) : (la == longest ? c - b : lb == longest ? a - c : b - a) / longest;
    vec2 across = vec2(-along.y, along.x);
    vec3 x = vec3(dot(a, along), dot(b, along), dot(c, along)), y = vec3(dot(a, across), dot(b, across), dot(c, across));
    vec2 low = vec2(min(x.x, min(x.y, x.z)), min(y.x, min(y.y, y.z))) - out_by;
    vec2 high = vec2(max(x.x, max(x.y, x.z)), max(y.x, max(y.y, y.z))) + out_by;
    vec2 size = high - low;
    if (doubled > 1e-4 * longest * longest && grown < 4.0 * size.x * size.y * doubled) {
        vec2 middle = (la * a + lb * b + lc * c) / around;
        vec2 corner = k == 0 ? a : k == 1 ? b : c;
        return middle + (corner - middle) * (1.0 + out_by * around / doubled);
    }
    vec2 corner = low + vec2(k == 1 ? 2.0 * size.x : 0.0, k == 2 ? 2.0 * size.y : 0.0);
    return corner.x * along + corner.y * across;
}
