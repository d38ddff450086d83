#version 460
// Contacts, seventh: the vertices, edges and faces from which the surface does not descend. Partner: query/contacts/side.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 9
#define SIDE_GROUPS(asked) groups_for((asked).candidates)
#include "field.glsl"
#include "meeting.glsl"
#include "contacts.glsl"
#include "contact_work.glsl"
#include "contact_tables.glsl"
#include "list_contact.glsl"

float area_of(Corners t) { return 0.5 * length(cross(t.b - t.a, t.c - t.a)); }

Found at_vertex(uint v)
{
    uint home = work[home_at(v)];
    uvec3 corners = triangle_corners(home);
    vec3 weights = vec3(corners.x == v, corners.x != v && corners.y == v, corners.x != v && corners.y != v);
    return Found(ON_VERTEX, v, 0, home, weights, weights, float(work[area_at(v)]) / query.area_scale, v, 0.0, vec3(0.0));
}

// Where a minimum on an edge begins, or ends.
Found at_edge(uint half_edge, uint end)
{
    uint triangle = half_edge / 3, from = half_edge % 3;
    Corners t = placed_triangle(triangle);
    vec3 p = from == 0 ? t.a : from == 1 ? t.b : t.c, q = from == 0 ? t.b : from == 1 ? t.c : t.a;
    float begins = uintBitsToFloat(work[edge_at(half_edge)]), ends = uintBitsToFloat(work[edge_at(half_edge) + 1]);
    float along = end == 0 ? begins : ends, value = uintBitsToFloat(work[edge_value_at(half_edge)]);
    float between = 0.5 * (max(begins, 0.0) + min(ends, 1.0));
    bool is_level = begins != ends;
    Crossing crossing = crossing_near(to_pair(p), to_pair(q), along, value);
    bool crosses = crossing.sine > 0.0;
    // What is level up to an end of the edge is a contact there. Where else it ends is one where the other body's edge says so.
    if (!crosses && (begins == LEVEL_BEFORE || ends == LEVEL_BEYOND)) return NOTHING;
    // What is too far by the field's interpolation may not be by the edges.
    if (value > query.distance && (!crosses || is_level || abs(crossing.apart) > query.unit * query.distance)) return NOTHING;
    along = crossing.along;
    if (crosses && is_level) {
        // What is level ends as far inside of the other body's edge as it is deep.
        float inside = max(-value, 0.0) / (crossing.sine * distance(p, q));
        along = end == 0 ? min(along + inside, between) : max(along - inside, between);
        crossing.across = vec3(0.0);
    }
    vec3 weights = vec3(0.0), level = vec3(0.0);
    weights[from] = 1.0 - along;
    weights[(from + 1) % 3] = along;
    level[from] = 1.0 - between;
    level[(from + 1) % 3] = between;
    float area = min(area_of(t) * (2.0 / 3.0), query.spacing * query.spacing);
    return Found(ON_EDGE, half_edge, end, triangle, weights, is_level ? level : weights, area, face_node(triangle), crossing.apart, crossing.across);
}

Found at_face(uint triangle)
{
    float second = uintBitsToFloat(work[face_at(triangle)]), third = uintBitsToFloat(work[face_at(triangle) + 1]);
    vec3 weights = vec3(1.0 - second - third, second, third);
    return Found(ON_FACE, triangle, 0, triangle, weights, weights, area_of(placed_triangle(triangle)), face_node(triangle), 0.0,
                 vec3(0.0));
}

Found candidate(uint number)
{
    if (number < edge_number(0)) return work[veto_at(number)] == 0 ? at_vertex(number) : NOTHING;
    if (number < face_number(0)) {
        uint half_edge = (number - edge_number(0)) / 2, end = (number - edge_number(0)) % 2;
        return work[edge_veto_at(half_edge)] == 0 ? at_edge(half_edge, end) : NOTHING;
    }
    return at_face(number - face_number(0));
}

void main()
{
    take_side();
    uint i = side_group * LANES + gl_LocalInvocationID.x;
    // The test at the end, as in contact_values.comp.
    do {
        if (i < touching.candidates) list(candidate(work[candidate_at(i)]));
        i += side_groups * LANES;
    } while (i < touching.candidates);
}
