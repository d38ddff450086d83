#version 460
// Squared distances, in cells, of the nodes in the band, by the part of the surface that is closest: inside a triangle,
// inside an edge, or a vertex (Sigg, Peikert, Gross 2003: prisms, wedges and cones). A workgroup takes a feature, its lanes
// the columns (lines along y) of the box around the feature's region. Partner: query/band.rs.
//
// Regions are widened beyond what rounding can do, and every value is the distance of a point of the surface: a node may
// get more candidates than needed, never fewer, so the minimum is exact. Minima have no order: same input, same bits.
//
// variant face_texel: FACE TEXEL
// variant face_storage: FACE
// variant edge_texel: EDGE TEXEL
// variant edge_storage: EDGE
// variant vertex_texel: VERTEX TEXEL
// variant vertex_storage: VERTEX
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

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
const float THIN = 1.0 / 16.0;
// Bounds the rounding of a direction that is what is left of a vector of length one after a projection.
const float ROUNDING = 1e-6;
// A plane this steep does not bound a column, in cells a cell.
const float STEEP = 1e-3;
const float TINY = 1e-30;

// Points within the region satisfy dot(plane.xyz, p - anchor) <= plane.w; a plane of zeros holds everything.
#ifdef FACE
const int PLANES = 5;
#endif
#ifdef EDGE
const int PLANES = 4;
#endif
#ifdef VERTEX
const int PLANES = 3;
#endif
vec4 planes[PLANES];
vec3 anchor;
vec3 low;
vec3 high;
float margin;

// What rounding of coordinates, in a feature of this size at the anchor, can move a region's border by, and more.
float margin_of(float size) { return MARGIN + ROUNDING * (max(abs(anchor.x), max(abs(anchor.y), abs(anchor.z))) + size); }

vec3 unit(vec3 v) { return v / max(length(v), TINY); }

// The part of `v` at right angles to the unit vector `along`: its direction in xyz, its rounding in w.
vec4 across(vec3 along, vec3 v, float scale)
{
    vec3 part = v - dot(v, along) * along;
    float size = length(part);
    float rounding = ROUNDING * max(scale, length(v)) / max(size, TINY);
    return rounding < 0.5 ? vec4(part / size, rounding) : vec4(0.0, 0.0, 0.0, 1.0);
}

float to_segment(vec3 p, vec3 e)
{
    vec3 d = p - clamp(dot(p, e) / max(dot(e, e), TINY), 0.0, 1.0) * e;
    return dot(d, d);
}

#ifdef FACE
// The longest side from the anchor, the corner across from it, and both in the plane's own frame.
vec3 side, tip, along, upward;
vec2 tip_at;
float side_length;

bool find_region(uint feature)
{
    uvec3 v = triangle_corners(feature);
    vec3 a = corner(v.x), b = corner(v.y), c = corner(v.z);
    vec3 squares = vec3(dot(b - a, b - a), dot(c - b, c - b), dot(a - c, a - c));
    bool first = squares.x >= max(squares.y, squares.z), second = squares.y >= squares.z;
    anchor = first ? a : second ? b : c;
    side = (first ? b : second ? c : a) - anchor;
    tip = (first ? c : second ? a : b) - anchor;
    side_length = length(side);
    along = unit(side);
    vec4 frame = across(along, tip, side_length);
    upward = frame.xyz;
    tip_at = vec2(dot(tip, along), dot(tip, upward));
    vec3 normal = cross(along, upward);

    // In the plane the triangle runs counter-clockwise through (0, 0), (side_length, 0) and tip_at.
    vec2 right = vec2(tip_at.y, side_length - tip_at.x);
    vec2 left = vec2(-tip_at.y, tip_at.x);
    right /= max(length(right), TINY);
    left /= max(length(left), TINY);
    margin = margin_of(side_length) + frame.w * (side_length + push.reach);
    planes[0] = vec4(-upward, THIN + margin);
    planes[1] = vec4(right.x * along + right.y * upward, right.x * side_length + THIN + margin);
    planes[2] = vec4(left.x * along + left.y * upward, THIN + margin);
    planes[3] = vec4(normal, push.reach + margin);
    planes[4] = vec4(-normal, push.reach + margin);
    vec3 grown = min(abs(normal) + 2.0 * frame.w, vec3(1.0)) * push.reach + THIN + margin;
    if (frame.w >= 0.5) {
        for (int i = 0; i < PLANES; ++i) planes[i] = vec4(0.0);
        margin = margin_of(side_length);
        grown = vec3(push.reach + THIN + margin);
    }
    low = min(a, min(b, c)) - grown;
    high = max(a, max(b, c)) + grown;
    return true;
}

float squared_distance(vec3 p)
{
    // From the longest side, rounding of the frame hardly moves the foot off the triangle, however thin it is.
    vec2 foot = vec2(dot(p, along), dot(p, upward));
    bool inside = foot.y >= 0.0 && tip_at.y > 0.0 &&
                  (foot.x - side_length) * tip_at.y + foot.y * (side_length - tip_at.x) <= 0.0 &&
                  foot.y * tip_at.x - foot.x * tip_at.y <= 0.0;
    vec3 d = p - foot.x * along - foot.y * upward;
    float border = min(to_segment(p, side), min(to_segment(p, tip), to_segment(p - side, tip - side)));
    return inside ? min(dot(d, d), border) : border;
}
#endif

#ifdef EDGE
vec3 side;

bool find_region(uint feature)
{
    uvec4 v = features[feature];
    anchor = corner(v.x);
    side = corner(v.y) - anchor;
    float side_length = length(side);
    if (side_length == 0.0) return false;
    vec3 along = side / side_length;
    vec4 one = across(along, corner(v.z) - anchor, side_length);
    vec4 two = across(along, corner(v.w) - anchor, side_length);
    vec3 normal_one = cross(along, one.xyz), normal_two = cross(two.xyz, along);
    float cosine = dot(normal_one, normal_two), sine = dot(normal_one, two.xyz);
    float rounding = one.w + two.w;
    if (cosine > 0.0 && push.reach * (abs(sine) + rounding) <= THIN) return false;

    float lever = side_length + push.reach;
    margin = margin_of(side_length);
    planes[0] = vec4(one.xyz, margin + one.w * lever);
    planes[1] = vec4(two.xyz, margin + two.w * lever);
    planes[2] = vec4(along, side_length + margin);
    planes[3] = vec4(-along, margin);
    vec3 least = vec3(-push.reach), most = vec3(push.reach);
    if (cosine > 0.0 && abs(sine) > 4.0 * rounding) {
        // The wedge lies between the normals, on the side away from both triangles.
        float towards = sine < 0.0 ? push.reach : -push.reach;
        vec3 one_end = towards * normal_one, two_end = towards * normal_two;
        vec3 middle = (one_end + two_end) / (1.0 + cosine);
        least = min(min(vec3(0.0), middle), min(one_end, two_end)) - rounding * lever;
        most = max(max(vec3(0.0), middle), max(one_end, two_end)) + rounding * lever;
    }
    low = anchor + min(vec3(0.0), side) + least - margin;
    high = anchor + max(vec3(0.0), side) + most + margin;
    return true;
}

float squared_distance(vec3 p) { return to_segment(p, side); }
#endif

#ifdef VERTEX
// How far the edge from `a` to `b` of a triangle with this normal is from the origin, positive inside.
float inside_by(vec3 normal, vec3 a, vec3 b) { return -dot(cross(normal, unit(b - a)), a); }

bool find_region(uint feature)
{
    uvec4 v = features[feature];
    anchor = corner(v.x);
    vec3 a = corner(v.y) - anchor, b = corner(v.z) - anchor, c = corner(v.w) - anchor;
    margin = margin_of(push.reach);
    planes[0] = vec4(unit(a), margin);
    planes[1] = vec4(unit(b), margin);
    planes[2] = vec4(unit(c), margin);
    vec3 least = vec3(-push.reach), most = vec3(push.reach);

    // With three neighbours about the vertex, at `height` over it: dot(p, neighbour) <= 0 for all three leaves p on the
    // other side, and no farther from the normal than |p.normal| height / inner.
    vec3 normal = unit(cross(b - a, c - a));
    float height = dot(a, normal);
    float inner = min(inside_by(normal, a, b), min(inside_by(normal, b, c), inside_by(normal, c, a)));
    float size = max(length(a), max(length(b), length(c)));
    if (inner > 0.01 * size) {
        float spread = min(abs(height) / inner + 1e-3, 1.0) * push.reach;
        vec3 end = height > 0.0 ? -push.reach * normal : push.reach * normal;
        vec3 other = abs(height) > 1e-3 * size ? vec3(0.0) : -end;
        least = max(least, min(min(vec3(0.0), other), end) - spread);
        most = min(most, max(max(vec3(0.0), other), end) + spread);
    }
    low = anchor + least - margin;
    high = anchor + most + margin;
    return true;
}

float squared_distance(vec3 p) { return dot(p, p); }
#endif

// The column's nodes from `from` to `to` that the region may hold, for a column at `p` cells in x and z from the anchor.
ivec2 clip_column(vec2 p, int from, int to)
{
    float least = float(from) - anchor.y, most = float(to) - anchor.y;
    float height = max(abs(least), abs(most));
    for (int i = 0; i < PLANES; ++i) {
        float room = planes[i].w - planes[i].x * p.x - planes[i].z * p.y;
        float slope = planes[i].y;
        if (slope > STEEP) most = min(most, room / slope);
        else if (slope < -STEEP) least = max(least, room / slope);
        else if (room + STEEP * height < 0.0) return ivec2(0, -1);
    }
    return ivec2(max(from, nodes_from(vec3(least + anchor.y - margin)).y),
                 min(to, nodes_to(vec3(most + anchor.y + margin)).y));
}

void scatter()
{
    ivec3 from = nodes_from(low), to = nodes_to(high);
    int width = to.x - from.x + 1, depth = to.z - from.z + 1;
    if (width <= 0 || depth <= 0 || to.y < from.y) return;
    int start = int(gl_WorkGroupID.y * gl_WorkGroupSize.x + gl_LocalInvocationID.x);
    int step = int(gl_NumWorkGroups.y * gl_WorkGroupSize.x);
    int x = start % width, z = start / width;
    int step_x = step % width, step_z = step / width;
    float limit = push.reach * push.reach * 1.00001;
    while (z < depth) {
        vec2 p = vec2(from.x + x, from.z + z) - anchor.xz;
        ivec2 range = clip_column(p, from.y, to.y);
        int at = node_at(from.x + x, range.x, from.z + z);
        for (int y = range.x; y <= range.y; ++y, at += int(push.nodes[0])) {
            float square = squared_distance(vec3(p.x, float(y) - anchor.y, p.y));
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
    uint run = (push.count + gl_NumWorkGroups.x - 1) / gl_NumWorkGroups.x;
    uint end = min((gl_WorkGroupID.x + 1) * run, push.count);
    for (uint feature = gl_WorkGroupID.x * run; feature < end; ++feature)
        if (find_region(feature)) scatter();
}
