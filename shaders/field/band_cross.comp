#version 460
// Signed crossings of the surface with the grid's columns (lines along y through the nodes): each adds to the first node
// behind it, so that a sum along a column is the winding number. Partner: query/band.rs.
//
// The surface is cut by the planes z = k first. A plane cuts an edge whose ends it parts, a node's plane counting as
// above the vertices in it; both triangles of the edge, and copies of it in other triangles, compute that point from
// the same numbers in the same order. So the cut is made of closed polygons, bit for bit, and the same rule once more
// gives their crossings with the columns x = i. A column through a vertex or along an edge or a face is no exception.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;

#include "band.glsl"
#include "triangle_corners.glsl"
layout(std430, binding = 2) buffer Crossings { int crossings[]; };

// Where an edge whose ends lie on both sides of the plane z = k meets it.
vec2 meet(vec3 a, vec3 b, float k)
{
    vec3 low = a.z < b.z ? a : b;
    vec3 high = a.z < b.z ? b : a;
    precise float t = (k - low.z) / (high.z - low.z);
    precise vec2 p = low.xy + (high.xy - low.xy) * t;
    return clamp(p, min(low.xy, high.xy), max(low.xy, high.xy));
}

// Columns x = i of the plane z = k that a triangle's cut from `up` to `down` crosses.
void cross_columns(vec2 up, vec2 down, int k)
{
    vec2 left = up.x < down.x ? up : down;
    vec2 right = up.x < down.x ? down : up;
    // Seen from +y, the surface faces +y where the side that rises in z lies left: there a column leaves the solid.
    int change = up.x < down.x ? -1 : 1;
    int from = nodes_from(vec3(left.x)).x;
    for (int i = from; i < grid_nodes().x && float(i) < right.x; ++i) {
        precise float y = left.y + (right.y - left.y) * ((float(i) - left.x) / (right.x - left.x));
        int j = nodes_from(vec3(clamp(y, min(left.y, right.y), max(left.y, right.y)))).y;
        if (j < grid_nodes().y) atomicAdd(crossings[node_at(i, j, k)], change);
    }
}

void cross_triangle(uint triangle)
{
    uvec3 v = triangle_corners(triangle);
    vec3 a = corner(v.x), b = corner(v.y), c = corner(v.z);
    int from = nodes_from(min(a, min(b, c))).z;
    int to = nodes_to(max(a, max(b, c))).z;
    for (int k = from + int(gl_WorkGroupID.y); k <= to; k += int(gl_NumWorkGroups.y)) {
        bvec3 below = lessThanEqual(vec3(a.z, b.z, c.z), vec3(k));
        if (below.x == below.y && below.y == below.z) continue;
        // The corner that the plane parts from the other two, the next and the one before.
        bool is_a = below.y == below.z, is_b = below.x == below.z;
        vec3 apex = is_a ? a : is_b ? b : c;
        vec3 next = is_a ? b : is_b ? c : a;
        vec3 last = is_a ? c : is_b ? a : b;
        vec2 leaving = meet(apex, next, float(k));
        vec2 arriving = meet(apex, last, float(k));
        bool rises = apex.z <= float(k);
        cross_columns(rises ? leaving : arriving, rises ? arriving : leaving, k);
    }
}

void main()
{
    for (uint t = gl_GlobalInvocationID.x; t < push.count; t += gl_NumWorkGroups.x * gl_WorkGroupSize.x) cross_triangle(t);
}
