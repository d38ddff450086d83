#version 460
// Contacts, third: for each triangle which of its corners the surface descends from to another corner; these are vetoed. Corners below
// the contact distance are linked to a region. What has to be searched is few, and is gathered: edges and faces that may have a minimum of
// their own, each edge by one of its triangles. A sample in the middle tells for those that are short. Loops test at their end, as
// in contact_values.comp. Partner: query/contacts/side.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 9
#define SIDE_GROUPS(asked) min((asked).clusters, MOST_GROUPS)
#include "field.glsl"
#include "meeting.glsl"
#define WORK_ACCESS coherent
#include "contacts.glsl"
#include "contact_work.glsl"
#include "contact_tables.glsl"

// What is known of a corner of a triangle.
struct Corner {
    uint vertex;
    vec3 place;
    float value;
    float lower;
};

Corner corner_of(uint vertex, vec3 place)
{
    return Corner(vertex, place, uintBitsToFloat(work[value_at(vertex)]), uintBitsToFloat(work[lower_at(vertex)]));
}

// Whether all of an edge can be within the contact distance. Of others a part is searched, whose middle is elsewhere.
bool is_in_reach(vec3 p, vec3 q)
{
    vec3 low = field_origin() - query.distance, high = field_origin() + field_cells() * field.cell + query.distance;
    return all(greaterThanEqual(min(p, q), low)) && all(lessThanEqual(max(p, q), high));
}

// Asks for a search along an edge, if this triangle stands for it and the edge may have a minimum of its own below the contact distance.
void ask_for_edge(uint half_edge, Corner p, Corner q, float size)
{
    float middle_value = value_of(0.5 * (p.place + q.place)), ends = min(p.value, q.value);
    // Distance changes by no more than the way: where one end is so much above the other, what dips between is interpolation.
    bool is_steep = max(p.value, q.value) - 0.5 * size >= ends;
    bool may_dip = size > query.spacing || (!is_steep && middle_value < ends - query.noise);
    if (query.sampling == SAMPLING_EDGE_CENTRES)
        may_dip = !is_steep && middle_value <= query.distance && descends(ends, middle_value, 0.5 * size);
    may_dip = may_dip || !is_in_reach(p.place, q.place);
    // A point that is as far from one end as it can be is near the other.
    bool is_near = 0.5 * (p.lower + q.lower - size) <= query.distance;
    if (is_near && may_dip && query.sampling != SAMPLING_VERTICES && edge_owner(half_edge) == half_edge) add_edge_search(half_edge);
}

// What a triangle says of one of its corners, from which two edges of these lengths lead to the others.
void tell_corner(uint triangle, Corner own, Corner first, float first_size, Corner second, float second_size, float area)
{
    if (!(own.value <= query.distance)) return;
    if (descends(own.value, first.value, first_size) || descends(own.value, second.value, second_size)) {
        if (work[veto_at(own.vertex)] == 0) atomicOr(work[veto_at(own.vertex)], 1u);
        return;
    }
    atomicAdd(work[area_at(own.vertex)], uint(area));
    atomicMin(work[home_at(own.vertex)], triangle);
}

void look_at(uint triangle)
{
    uvec3 v = triangle_corners(triangle);
    Corners t = placed_triangle(triangle);
    Corner a = corner_of(v.x, t.a), b = corner_of(v.y, t.b), c = corner_of(v.z, t.c);
    float ab = distance(t.a, t.b), bc = distance(t.b, t.c), ca = distance(t.c, t.a), size = max(ab, max(bc, ca));
    bool large = size > FACE_CELLS * query.spacing;
    float lowest = min(a.value, min(b.value, c.value));
    vec3 centre = middle(t);
    float centre_value = value_of(centre), radius = radius_of(t);
    bool is_near = max(a.lower - max(ab, ca), max(b.lower - max(ab, bc), c.lower - max(bc, ca))) <= query.distance &&
                   sample_field(centre).lower - radius <= query.distance;
    if (!(is_near || lowest <= query.distance)) return;
    ask_for_edge(3 * triangle, a, b, ab);
    ask_for_edge(3 * triangle + 1, b, c, bc);
    ask_for_edge(3 * triangle + 2, c, a, ca);
    float least = max(a.value - distance(t.a, centre), max(b.value - distance(t.b, centre), c.value - distance(t.c, centre)));
    bool dips = least < lowest && centre_value < lowest - query.noise;
    bool asked = query.sampling == SAMPLING_ALL && !large && is_near && (size > query.spacing || dips);
    if (asked || large) {
        work[mark_at(triangle)] = asked ? FACE_LISTED | FACE_ASKED : FACE_LISTED;
        add_listed_face(triangle);
    }
    bvec3 below = lessThanEqual(vec3(a.value, b.value, c.value), vec3(query.distance));
    // The less of a triangle is near, the less of its area counts.
    float count_below = (below.x ? 1.0 : 0.0) + (below.y ? 1.0 : 0.0) + (below.z ? 1.0 : 0.0);
    float area = min(0.5 * length(cross(t.b - t.a, t.c - t.a)) * count_below / 9.0 * query.area_scale, 67108864.0);
    tell_corner(triangle, a, b, ab, c, ca, area);
    tell_corner(triangle, b, c, bc, a, ab, area);
    tell_corner(triangle, c, a, ca, b, bc, area);
    uint first = below.x ? v.x : below.y ? v.y : v.z;
    if (below.y && v.y != first) link(v.y, first);
    if (below.z && v.z != first) link(v.z, first);
}

void main()
{
    take_side();
    uint at = side_group;
    do {
        ClusterRange range = ranges[work[touching_cluster_at(at)]];
        uint i = gl_LocalInvocationID.x;
        do {
            if (i < range.triangle_count) look_at(range.first_triangle + i);
            i += gl_WorkGroupSize.x;
        } while (i < range.triangle_count);
        at += side_groups;
    } while (at < touching.clusters);
}
