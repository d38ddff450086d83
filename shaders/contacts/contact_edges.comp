#version 460
// Contacts, fourth: the smallest value on each edge that is searched. If it is a minimum of its own, the surface descends from both ends to it,
// and both triangles of the edge have more than their corners to compare. Loops test at their end, as in contact_values.comp. Partner:
// query/contacts/side.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 9
#define SIDE_GROUPS(asked) groups_for((asked).edge_searches)
#include "field.glsl"
#include "meeting.glsl"
#include "contacts.glsl"
#include "contact_work.glsl"
#include "contact_tables.glsl"
#include "edge_lines.glsl"
#include "refinements.glsl"

// The most samples along an edge before its minimum is refined.
const float EDGE_SAMPLES = 32.0;
// No search is longer, whatever a length that is no number does to the other conditions.
const float MOST_TURNS = EDGE_SAMPLES + 2.0 * MOST_REFINEMENTS;

// The part of a segment that can be within the contact distance: that inside the field's domain, grown.
vec2 near_part(vec3 p, vec3 q)
{
    vec3 low = field_origin() - query.distance, high = field_origin() + field_cells() * field.cell + query.distance;
    vec2 part = vec2(0.0, 1.0);
    for (int axis = 0; axis < 3; ++axis) {
        float way = q[axis] - p[axis];
        if (abs(way) < 1e-30) {
            if (p[axis] < low[axis] || p[axis] > high[axis]) return vec2(1.0, 0.0);
            continue;
        }
        float first = (low[axis] - p[axis]) / way, last = (high[axis] - p[axis]) / way;
        part = vec2(max(part.x, min(first, last)), min(part.y, max(first, last)));
    }
    return part;
}

// Where between p and q the field is smallest, and its value there; and where it is level around, from where to where.
struct EdgeMinimum {
    float along;
    float value;
    float begin;
    float end;
};

EdgeMinimum edge_minimum(vec3 p, vec3 q, float lower_end, float upper_end)
{
    EdgeMinimum best = EdgeMinimum(0.5, INFINITE, 0.5, 0.5);
    vec2 part = near_part(p, q);
    if (!(part.x < part.y)) return best;
    float size = distance(p, q) * (part.y - part.x);
    bool is_plain = query.sampling == SAMPLING_EDGE_CENTRES;
    float count = is_plain ? 1.0 : clamp(ceil(size / query.spacing), 1.0, EDGE_SAMPLES);
    float step = (part.y - part.x) / count, level = LEVEL_SLOPE * size / count + query.noise;
    bool is_level = false;
    // First samples at equal steps; then to both sides of the best at half the step each time, or outwards from both ends of what is level.
    // One loop, because a device compiles what is sampled at each place anew.
    float turns = count + 2.0 * refinements(size / count), fine = step, turn = 0.0;
    bool goes_on;
    do {
        bool upwards = mod(turn - count, 2.0) < 0.5;
        float along = part.x + (turn + 0.5) * step;
        if (turn >= count) {
            if (upwards) fine *= 0.5;
            along = upwards ? (is_level ? best.end : best.along) + fine : (is_level ? best.begin : best.along) - fine;
            along = clamp(along, 0.0, 1.0);
        }
        float value = value_of(mix(p, q, along));
        bool joins = value <= best.value + level;
        if (value < best.value - level) best.begin = along;
        if (turn < count && joins) best.end = along;
        if (turn >= count && is_level && joins) {
            if (upwards) best.end = along;
            else best.begin = along;
        }
        if (value < best.value) {
            best.value = value;
            best.along = along;
        }
        turn += 1.0;
        if (turn == count) is_level = best.end - best.begin > 1.5 * step;
        // Only what is below both ends is a minimum of its own, and what is level and below one of them ends on its way there.
        float end = is_level ? upper_end : lower_end;
        goes_on = turn < MOST_TURNS && (turn < count || (turn < turns && !is_plain && best.value < end - query.noise));
    } while (goes_on);
    if (!is_level) best.begin = best.end = best.along;
    return best;
}

void list_face(uint triangle)
{
    if ((atomicOr(work[mark_at(triangle)], FACE_LISTED) & FACE_LISTED) == 0) add_listed_face(triangle);
}

void search(uint half_edge)
{
    uint triangle = half_edge / 3, from = half_edge % 3, to = (from + 1) % 3;
    uvec3 v = triangle_corners(triangle);
    Corners t = placed_triangle(triangle);
    vec3 p = from == 0 ? t.a : from == 1 ? t.b : t.c, q = from == 0 ? t.b : from == 1 ? t.c : t.a;
    float at_p = uintBitsToFloat(work[value_at(v[from])]), at_q = uintBitsToFloat(work[value_at(v[to])]), size = distance(p, q);
    EdgeMinimum found = edge_minimum(p, q, min(at_p, at_q), max(at_p, at_q));
    // Between nodes an edge of the other body may be nearer than the field tells.
    if (!(found.value <= query.distance + field.error)) return;
    bool is_sharp = dot(face_normal(t), normal_beyond(half_edge)) <= FLAT_COSINE;
    bool begins = descends(at_p, found.value, found.along * size), ends = descends(at_q, found.value, (1.0 - found.along) * size);
    bool is_level = found.begin != found.end;
    if (!(begins && ends) && !((begins || ends) && is_level && is_sharp)) return;
    work[edge_at(half_edge)] = floatBitsToUint(begins ? found.begin : LEVEL_BEFORE);
    work[edge_at(half_edge) + 1] = floatBitsToUint(ends ? found.end : LEVEL_BEYOND);
    work[edge_at(half_edge) + 2] = floatBitsToUint(found.along);
    work[edge_value_at(half_edge)] = floatBitsToUint(found.value);
    if (begins) add_candidate(edge_number(half_edge));
    if (ends && is_level) add_candidate(edge_number(half_edge) + 1);
    list_face(triangle);
    if (is_sharp) add_line(p, q);
    uint twin = edge_twin(half_edge);
    if (twin != NONE) list_face(twin / 3);
}

void main()
{
    take_side();
    uint i = side_group * LANES + gl_LocalInvocationID.x;
    do {
        if (i < touching.edge_searches) search(work[edge_search_at(i)]);
        i += side_groups * LANES;
    } while (i < touching.edge_searches);
}
