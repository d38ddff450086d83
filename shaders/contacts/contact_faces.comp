#version 460
// Contacts, fifth: the smallest value inside each face that is searched, and which corners and edges the surface descends from in triangles that have
// more than their corners to compare: minima on edges or inside, or a large face, whose own minima are listed later. Loops test at their end,
// as in contact_values.comp. Partner: query/contacts/side.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 9
#define SIDE_GROUPS(asked) groups_for((asked).listed_faces)
#include "field.glsl"
#include "meeting.glsl"
#define WORK_ACCESS coherent
#include "contacts.glsl"
#include "contact_work.glsl"
#include "contact_tables.glsl"
#include "refinements.glsl"

// No search is longer, whatever a length that is no number does to the other conditions.
const float MOST_TURNS = FACE_CELLS * FACE_CELLS + 6.0 * MOST_REFINEMENTS;

// The weights of the smallest value inside a small triangle, and in w that value.
vec4 face_minimum(Corners t, float lowest)
{
    float size = longest_edge(t), count = clamp(ceil(size / query.spacing), 1.0, FACE_CELLS), inverse = 1.0 / count;
    vec4 best = vec4(vec3(1.0 / 3.0), INFINITE);
    float row = 0.0, cell = 0.0, step = 0.5 * inverse;
    uint way = 0;
    float first = count * count, turns = first + 6.0 * refinements(size * inverse), turn = 0.0;
    bool goes_on;
    do {
        vec3 weights;
        if (turn < first) {
            // The middle of a cell: those that point as the triangle have it a third of the way, the others two thirds.
            float half_cell = floor(0.5 * cell), third = cell == 2.0 * half_cell ? 1.0 / 3.0 : 2.0 / 3.0;
            float down = (row + 1.0 - third) * inverse, along = (half_cell + third) * inverse;
            weights = vec3(1.0 - down, down - along, along);
            cell += 1.0;
            if (cell > 2.0 * row) {
                row += 1.0;
                cell = 0.0;
            }
        } else {
            uint from = way >> 1, to = (from + 1 + (way & 1u)) % 3;
            weights = best.xyz;
            float by = min(step, weights[from]);
            weights[from] -= by;
            weights[to] += by;
            way = way == 5 ? 0 : way + 1;
            if (way == 0) step *= 0.5;
        }
        float value = value_of(weights.x * t.a + weights.y * t.b + weights.z * t.c);
        if (value < best.w) best = vec4(weights, value);
        turn += 1.0;
        // Only what is below the rim is a minimum of its own.
        goes_on = turn < MOST_TURNS && (turn < first || (turn < turns && best.w < lowest - query.noise));
    } while (goes_on);
    return best;
}

// Corners, minima of edges, minimum of the face.
const uint SPOTS = 7;
vec3 places[SPOTS];
float values[SPOTS];

// Whether the surface descends from a spot to another.
bool descends_to_spot(uint spot)
{
    bool found = false;
    for (uint other = 0; other < SPOTS; ++other)
        found = found || (values[other] < values[spot] && descends(values[spot], values[other], distance(places[spot], places[other])));
    return found;
}

// Whether the surface descends from a spot into a large face, whose own minima are not among the spots.
bool descends_inwards(uint spot, Corners t)
{
    // A step inwards: from an edge square to it, from a corner along the line that halves its angle.
    vec3 from = spot % 3 == 0 ? t.a : spot % 3 == 1 ? t.b : t.c;
    vec3 next = normalize((spot % 3 == 0 ? t.b : spot % 3 == 1 ? t.c : t.a) - from);
    vec3 inwards = spot >= 3 ? middle(t) - from : next + normalize((spot % 3 == 0 ? t.c : spot % 3 == 1 ? t.a : t.b) - from);
    if (spot >= 3) inwards -= dot(inwards, next) * next;
    float size = length(inwards), step = 0.5 * query.spacing;
    return size > 0.0 && descends(values[spot], value_of(places[spot] + inwards * (step / size)), step);
}

// Puts the corners and the minima on edges among the spots; returns the lowest value.
float fill_spots(uint triangle, uvec3 v, Corners t)
{
    vec3 corners[3] = vec3[3](t.a, t.b, t.c);
    float lowest = INFINITE;
    for (uint k = 0; k < 3; ++k) {
        uint half_edge = 3 * triangle + k, owner = edge_owner(half_edge);
        float along = uintBitsToFloat(work[edge_at(owner) + 2]);
        places[k] = corners[k];
        values[k] = uintBitsToFloat(work[value_at(v[k])]);
        values[3 + k] = uintBitsToFloat(work[edge_value_at(owner)]);
        bool has_minimum = values[3 + k] < INFINITE;
        places[3 + k] = has_minimum ? mix(corners[k], corners[(k + 1) % 3], owner == half_edge ? along : 1.0 - along) : corners[k];
        lowest = min(lowest, min(values[k], values[3 + k]));
    }
    places[6] = t.a;
    values[6] = INFINITE;
    return lowest;
}

// The minimum inside a face, if it is one of its own, joins the spots and the candidates.
void add_face(uint triangle, Corners t, float lowest)
{
    vec4 face = face_minimum(t, lowest);
    vec3 p = face.x * t.a + face.y * t.b + face.z * t.c;
    bool own = face.w <= query.distance;
    for (uint k = 0; k < 6; ++k) own = own && (values[k] == INFINITE || descends(values[k], face.w, distance(places[k], p)));
    if (!own) return;
    places[6] = p;
    values[6] = face.w;
    work[face_at(triangle)] = floatBitsToUint(face.y);
    work[face_at(triangle) + 1] = floatBitsToUint(face.z);
    add_candidate(face_number(triangle));
}

void compare(uint triangle)
{
    uvec3 v = triangle_corners(triangle);
    Corners t = placed_triangle(triangle);
    bool large = is_large(t);
    float lowest = fill_spots(triangle, v, t);
    if ((work[mark_at(triangle)] & FACE_ASKED) != 0) add_face(triangle, t, lowest);
    uint spot = 0;
    do {
        bool is_corner = spot < 3;
        uint k = is_corner ? spot : spot - 3;
        if (values[spot] <= query.distance) {
            uint owner = edge_owner(3 * triangle + k);
            link(face_node(triangle), is_corner ? v[k] : face_node(owner / 3));
            if (descends_to_spot(spot) || (large && descends_inwards(spot, t)))
                atomicOr(work[is_corner ? veto_at(v[k]) : edge_veto_at(owner)], 1u);
        }
        ++spot;
    } while (spot < 6);
    if (large && query.sampling == SAMPLING_ALL) {
        uint slot = atomicAdd(touching.large_faces, 1);
        work[large_face_at(slot)] = triangle;
        if (slot < MOST_GROUPS) atomicAdd(commands.large_command[0], 1);
    }
}

void main()
{
    take_side();
    uint i = side_group * LANES + gl_LocalInvocationID.x;
    do {
        if (i < touching.listed_faces) compare(work[listed_face_at(i)]);
        i += side_groups * LANES;
    } while (i < touching.listed_faces);
}
