#version 460
// Squared distances, in cells, of the nodes in the band, by the part of the surface that is closest: inside a triangle,
// inside an edge, or a vertex (Sigg, Peikert, Gross 2003: prisms, wedges and cones). Each lane of a workgroup finds the
// region of one feature; then all lanes together take one region after the other, each lane columns (lines along y)
// of the box around it. Partner: query/band.rs.
//
// Regions are widened beyond what rounding can do, and every value is the distance of a point of the surface: a node may
// get more candidates than needed, never fewer, so the minimum is exact. Minima have no order: same input, same bits.
//
// axis feature: face=FACE edge=EDGE vertex=VERTEX
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 32;

#include "band.glsl"
#ifdef FACE
#include "triangle_corners.glsl"
#else
layout(std430, binding = 1) readonly buffer Features { uvec4 features[]; };
#endif
layout(std430, binding = 2) buffer Squares { uint squares[]; };

// Cells that a region is widened by: far more than coordinates are rounded by in a grid of 8192 nodes a side.
const float MARGIN = 1.0 / 64.0;
// Triangles take over from edges whose wedge is nowhere wider than this, in cells: most edges of a smooth fine mesh.
const float THIN = 1.0 / 8.0;
// Bounds the rounding of a direction that is what is left of a vector of length one after a projection.
const float ROUNDING = 1e-6;
// A plane this steep does not bound a column, in cells a cell.
const float STEEP = 1e-3;
const float TINY = 1e-30;

#ifdef FACE
const int PLANES = 5;
#endif
#ifdef EDGE
const int PLANES = 4;
#endif
#ifdef VERTEX
const int PLANES = 3;
#endif

struct Region {
    // Points within satisfy dot(plane.xyz, p - anchor) <= plane.w; a plane of zeros holds everything.
    vec4 planes[PLANES];
    vec3 anchor;
    // More than rounding can move the planes by.
    float margin;
    // The nodes of its box; none where `to` is below `from`.
    ivec3 from;
    ivec3 to;
#ifdef FACE
    // The plane's own frame, along the longest side from the anchor, and the corner across from it.
    vec3 along;
    vec3 upward;
    vec2 tip;
    float side_length;
#endif
#ifdef EDGE
    vec3 side;
#endif
};
// The regions of a batch that hold any node, in any order.
shared Region regions[LANES];
shared uint found;

// What rounding of coordinates, in a feature of this size at this place, can move a region's border by, and more.
float margin_of(vec3 anchor, float size)
{
    return MARGIN + ROUNDING * (max(abs(anchor.x), max(abs(anchor.y), abs(anchor.z))) + size);
}

vec3 unit(vec3 v) { return v / max(length(v), TINY); }

// The part of `v` at right angles to the unit vector `along`: its direction in xyz, its rounding in w.
vec4 across(vec3 along, vec3 v, float scale)
{
    vec3 part = v - dot(v, along) * along;
    float rounding = ROUNDING * max(scale, length(v)) / max(length(part), TINY);
    // What is left of a vector close to `along` is not quite at right angles to it; once more, and it is.
    part = unit(part);
    part = unit(part - dot(part, along) * along);
    return rounding < 0.5 ? vec4(part, rounding) : vec4(0.0, 0.0, 0.0, 1.0);
}

#ifdef FACE
Region find_region(uint feature)
{
    uvec3 v = triangle_corners(feature);
    vec3 a = corner(v.x), b = corner(v.y), c = corner(v.z);
    vec3 lengths = vec3(dot(b - a, b - a), dot(c - b, c - b), dot(a - c, a - c));
    bool first = lengths.x >= max(lengths.y, lengths.z), second = lengths.y >= lengths.z;
    Region r;
    r.anchor = first ? a : second ? b : c;
    vec3 side = (first ? b : second ? c : a) - r.anchor;
    vec3 tip = (first ? c : second ? a : b) - r.anchor;
    r.side_length = length(side);
    r.along = unit(side);
    vec4 frame = across(r.along, tip, r.side_length);
    r.upward = frame.xyz;
    r.tip = vec2(dot(tip, r.along), dot(tip, r.upward));
    vec3 normal = cross(r.along, r.upward);

    // In the plane the triangle runs counter-clockwise through (0, 0), (side_length, 0) and tip. A triangle without area
    // has no frame: all planes are zeros, and the box reaches as far as the band.
    vec2 right = vec2(r.tip.y, r.side_length - r.tip.x);
    vec2 left = vec2(-r.tip.y, r.tip.x);
    right /= max(length(right), TINY);
    left /= max(length(left), TINY);
    bool is_flat = frame.w >= 0.5;
    r.margin = margin_of(r.anchor, r.side_length) + (is_flat ? 0.0 : frame.w * (r.side_length + push.band_cells));
    float aside = THIN + r.margin;
    r.planes[0] = vec4(-r.upward, aside);
    r.planes[1] = is_flat ? vec4(0.0) : vec4(right.x * r.along + right.y * r.upward, right.x * r.side_length + aside);
    r.planes[2] = is_flat ? vec4(0.0) : vec4(left.x * r.along + left.y * r.upward, aside);
    r.planes[3] = vec4(normal, push.band_cells + r.margin);
    r.planes[4] = vec4(-normal, push.band_cells + r.margin);
    vec3 grown = min(abs(normal) + 2.0 * frame.w, vec3(1.0)) * push.band_cells + aside;
    r.from = nodes_from(min(a, min(b, c)) - grown);
    r.to = nodes_to(max(a, max(b, c)) + grown);
    return r;
}

float to_segment(vec2 p, vec2 e)
{
    vec2 d = p - clamp(dot(p, e) / max(dot(e, e), TINY), 0.0, 1.0) * e;
    return dot(d, d);
}

// Off the plane, and in it: wherever rounding has turned the plane of a thin triangle about its longest side, what one is
// short of is in the other.
float squared_distance(Region r, vec3 p)
{
    vec2 foot = vec2(dot(p, r.along), dot(p, r.upward));
    vec2 far_end = vec2(r.side_length, 0.0), back = r.tip - far_end;
    bool inside = r.tip.y > 0.0 && foot.y >= 0.0 && foot.y * back.x - (foot.x - r.side_length) * back.y >= 0.0 &&
                  foot.x * r.tip.y - foot.y * r.tip.x >= 0.0;
    vec3 off = p - foot.x * r.along - foot.y * r.upward;
    float border = min(to_segment(foot, far_end), min(to_segment(foot, r.tip), to_segment(foot - far_end, back)));
    return dot(off, off) + (inside ? 0.0 : border);
}
#endif

#ifdef EDGE
Region find_region(uint feature)
{
    uvec4 v = features[feature];
    Region r;
    r.anchor = corner(v.x);
    r.side = corner(v.y) - r.anchor;
    float side_length = length(r.side);
    vec3 along = unit(r.side);
    vec4 one = across(along, corner(v.z) - r.anchor, side_length);
    vec4 two = across(along, corner(v.w) - r.anchor, side_length);
    vec3 normal_one = cross(along, one.xyz), normal_two = cross(two.xyz, along);
    float cosine = dot(normal_one, normal_two), sine = dot(normal_one, two.xyz);
    float rounding = one.w + two.w;

    float lever = side_length + push.band_cells;
    r.margin = margin_of(r.anchor, side_length);
    r.planes[0] = vec4(one.xyz, r.margin + one.w * lever);
    r.planes[1] = vec4(two.xyz, r.margin + two.w * lever);
    r.planes[2] = vec4(along, side_length + r.margin);
    r.planes[3] = vec4(-along, r.margin);
    vec3 least = vec3(-push.band_cells), most = vec3(push.band_cells);
    if (cosine > 0.0 && abs(sine) > 4.0 * rounding) {
        // The wedge lies between the normals, on the side away from both triangles.
        float towards = sine < 0.0 ? push.band_cells : -push.band_cells;
        vec3 one_end = towards * normal_one, two_end = towards * normal_two;
        vec3 middle = (one_end + two_end) / (1.0 + cosine);
        least = min(min(vec3(0.0), middle), min(one_end, two_end)) - rounding * lever;
        most = max(max(vec3(0.0), middle), max(one_end, two_end)) + rounding * lever;
    }
    r.from = nodes_from(r.anchor + min(vec3(0.0), r.side) + least - r.margin);
    r.to = nodes_to(r.anchor + max(vec3(0.0), r.side) + most + r.margin);
    // An edge without length is its ends.
    bool is_thin = cosine > 0.0 && push.band_cells * (abs(sine) + rounding) <= THIN;
    if (is_thin || side_length == 0.0) r.to = ivec3(-1);
    return r;
}

float squared_distance(Region r, vec3 p)
{
    vec3 d = p - clamp(dot(p, r.side) / max(dot(r.side, r.side), TINY), 0.0, 1.0) * r.side;
    return dot(d, d);
}
#endif

#ifdef VERTEX
// How far the edge from `a` to `b` of a triangle with this normal is from the origin, positive inside.
float inside_by(vec3 normal, vec3 a, vec3 b) { return -dot(cross(normal, unit(b - a)), a); }

Region find_region(uint feature)
{
    uvec4 v = features[feature];
    Region r;
    r.anchor = corner(v.x);
    vec3 a = corner(v.y) - r.anchor, b = corner(v.z) - r.anchor, c = corner(v.w) - r.anchor;
    r.margin = margin_of(r.anchor, push.band_cells);
    r.planes[0] = vec4(unit(a), r.margin);
    r.planes[1] = vec4(unit(b), r.margin);
    r.planes[2] = vec4(unit(c), r.margin);
    vec3 least = vec3(-push.band_cells), most = vec3(push.band_cells);

    // With three neighbours about the vertex, at `height` over it: dot(p, neighbour) <= 0 for all three leaves p on the
    // other side, and no farther from the normal than |p.normal| height / inner.
    vec3 normal = unit(cross(b - a, c - a));
    float height = dot(a, normal);
    float inner = min(inside_by(normal, a, b), min(inside_by(normal, b, c), inside_by(normal, c, a)));
    float size = max(length(a), max(length(b), length(c)));
    if (inner > 0.01 * size) {
        float spread = min(abs(height) / inner + 1e-3, 1.0) * push.band_cells;
        vec3 end = height > 0.0 ? -push.band_cells * normal : push.band_cells * normal;
        vec3 other = abs(height) > 1e-3 * size ? vec3(0.0) : -end;
        least = max(least, min(min(vec3(0.0), other), end) - spread);
        most = min(most, max(max(vec3(0.0), other), end) + spread);
    }
    r.from = nodes_from(r.anchor + least - r.margin);
    r.to = nodes_to(r.anchor + most + r.margin);
    return r;
}

float squared_distance(Region r, vec3 p) { return dot(p, p); }
#endif

// The column's nodes that the region may hold, for a column at `p` cells in x and z from the anchor.
ivec2 clip_column(Region r, vec2 p)
{
    float least = float(r.from.y) - r.anchor.y, most = float(r.to.y) - r.anchor.y;
    float height = max(abs(least), abs(most));
    for (int i = 0; i < PLANES; ++i) {
        float room = r.planes[i].w - r.planes[i].x * p.x - r.planes[i].z * p.y;
        float slope = r.planes[i].y;
        if (slope > STEEP) most = min(most, room / slope);
        else if (slope < -STEEP) least = max(least, room / slope);
        else if (room + STEEP * height < 0.0) most = least - 1.0;
    }
    return ivec2(max(r.from.y, nodes_from(vec3(least + r.anchor.y - r.margin)).y),
                 min(r.to.y, nodes_to(vec3(most + r.anchor.y + r.margin)).y));
}

void scatter(Region r)
{
    int width = r.to.x - r.from.x + 1, depth = r.to.z - r.from.z + 1;
    int start = int(gl_WorkGroupID.y * LANES + gl_LocalInvocationID.x);
    int step = int(gl_NumWorkGroups.y * LANES);
    // Both are small, and floats divide faster than integers.
    int z = int((float(start) + 0.5) / float(width)), step_z = int((float(step) + 0.5) / float(width));
    int x = start - z * width, step_x = step - step_z * width;
    float limit = push.band_cells * push.band_cells * 1.00001;
    while (z < depth) {
        vec2 p = vec2(r.from.x + x, r.from.z + z) - r.anchor.xz;
        ivec2 range = clip_column(r, p);
        int at = node_at(r.from.x + x, range.x, r.from.z + z);
        for (int y = range.x; y <= range.y; ++y, at += int(push.nodes[0])) {
            float square = squared_distance(r, vec3(p.x, float(y) - r.anchor.y, p.y));
            if (square <= limit) atomicMin(squares[at], floatBitsToUint(square));
        }
        x += step_x;
        z += step_z;
        if (x >= width) {
            x -= width;
            ++z;
        }
    }
}

void main()
{
    uint batches = (push.count + LANES - 1) / LANES;
    for (uint batch = gl_WorkGroupID.x; batch < batches; batch += gl_NumWorkGroups.x) {
        uint feature = batch * LANES + gl_LocalInvocationID.x;
        if (gl_LocalInvocationID.x == 0) found = 0;
        barrier();
        if (feature < push.count) {
            Region r = find_region(feature);
            if (all(lessThanEqual(r.from, r.to))) regions[atomicAdd(found, 1)] = r;
        }
        barrier();
        for (uint i = 0; i < found; ++i) scatter(regions[i]);
        barrier();
    }
}
