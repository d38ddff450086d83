#version 460
// Contacts, third: for each triangle the smallest value on its edges and in its face, and which of its corners, edges and face the surface
// descends from; these are vetoed. What is connected below the contact distance is linked to a region. An edge's minimum is computed from
// its lower vertex on, so that both triangles find the same bits. Partner: query/contacts/side.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 9
#include "field.glsl"
#include "meeting.glsl"
#include "contacts.glsl"
#define WORK_ACCESS coherent
#include "contact_work.glsl"
#include "contact_tables.glsl"

const float INFINITE = 3.0e38;
// The most samples along an edge before its minimum is refined, and halvings of the step when it is.
const float EDGE_SAMPLES = 32.0;
const uint REFINEMENTS = 9;

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

EdgeMinimum edge_minimum(vec3 p, vec3 q, float lower_end)
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
    float turns = count + 2.0 * float(REFINEMENTS), fine = step;
    for (float turn = 0.0; turn < turns; turn += 1.0) {
        bool upwards = mod(turn - count, 2.0) < 0.5;
        float along = part.x + (turn + 0.5) * step;
        if (turn >= count) {
            // Only what is below both ends is a minimum of its own.
            if (is_plain || best.value >= lower_end - query.noise) break;
            if (upwards) fine *= 0.5;
            is_level = is_level || (turn == count && best.end - best.begin > 1.5 * step);
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
    }
    if (!is_level) best.begin = best.end = best.along;
    return best;
}

// The weights of the smallest value inside a small triangle, and in w that value.
vec4 face_minimum(Corners t, float lowest)
{
    float count = clamp(ceil(longest_edge(t) / query.spacing), 1.0, FACE_CELLS), inverse = 1.0 / count;
    vec4 best = vec4(vec3(1.0 / 3.0), INFINITE);
    float row = 0.0, cell = 0.0, step = 0.5 * inverse;
    uint way = 0;
    float turns = count * count + 6.0 * float(REFINEMENTS);
    for (float turn = 0.0; turn < turns; turn += 1.0) {
        vec3 weights;
        if (turn < count * count) {
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
            // Only what is below the rim is a minimum of its own.
            if (best.w >= lowest - query.noise) break;
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
    }
    return best;
}

// Corners, minima of edges, minimum of the face.
const uint SPOTS = 7;
vec3 places[SPOTS];
float values[SPOTS];

// Whether the surface descends from a spot to another, or into a large face, whose own minima are not among the spots.
bool is_vetoed(uint spot, Corners t, bool large)
{
    for (uint other = 0; other < SPOTS; ++other)
        if (values[other] < values[spot] && descends(values[spot], values[other], distance(places[spot], places[other]))) return true;
    if (!large || spot == 6) return false;
    // A step inwards: from an edge square to it, from a corner along the line that halves its angle.
    vec3 middle_of_face = middle(t), inwards;
    vec3 corners[3] = vec3[3](t.a, t.b, t.c);
    if (spot >= 3) {
        vec3 from = corners[spot - 3], along = normalize(corners[(spot - 2) % 3] - from), to_middle = middle_of_face - from;
        inwards = to_middle - dot(to_middle, along) * along;
    } else {
        inwards = normalize(corners[(spot + 1) % 3] - corners[spot]) + normalize(corners[(spot + 2) % 3] - corners[spot]);
    }
    float size = length(inwards), step = 0.5 * query.spacing;
    if (!(size > 0.0)) return false;
    return descends(values[spot], value_of(places[spot] + inwards * (step / size)), step);
}

void look_at(uint triangle)
{
    uvec3 v = triangle_corners(triangle);
    Corners t = placed_triangle(triangle);
    vec3 corners[3] = vec3[3](t.a, t.b, t.c);
    float size = longest_edge(t);
    float lowest = INFINITE;
    for (uint k = 0; k < 3; ++k) {
        places[k] = corners[k];
        values[k] = uintBitsToFloat(work[value_at(v[k])]);
        lowest = min(lowest, values[k]);
    }
    for (uint k = 3; k < SPOTS; ++k) {
        places[k] = places[0];
        values[k] = INFINITE;
    }
    // Every point of it is within this of a corner.
    if (!(lowest <= query.distance + size) && !is_large(t)) return;
    bool large = is_large(t);
    uint sampling = query.sampling;
    vec2 along_edge[3];
    if (sampling != SAMPLING_VERTICES)
        for (uint k = 0; k < 3; ++k) {
            uint next = (k + 1) % 3;
            bool turned = v[next] < v[k];
            vec3 p = turned ? corners[next] : corners[k], q = turned ? corners[k] : corners[next];
            EdgeMinimum found = edge_minimum(p, q, min(values[k], values[next]));
            along_edge[k] = turned ? vec2(1.0 - found.end, 1.0 - found.begin) : vec2(found.begin, found.end);
            bool own = descends(turned ? values[next] : values[k], found.value, found.along * distance(p, q)) &&
                       descends(turned ? values[k] : values[next], found.value, (1.0 - found.along) * distance(p, q));
            if (!own) continue;
            places[3 + k] = mix(p, q, found.along);
            values[3 + k] = found.value;
            lowest = min(lowest, found.value);
        }
    vec4 face = vec4(0.0, 0.0, 0.0, INFINITE);
    if (sampling == SAMPLING_ALL && !large) {
        face = face_minimum(t, lowest);
        vec3 p = face.x * t.a + face.y * t.b + face.z * t.c;
        bool own = face.w <= query.distance;
        for (uint k = 0; k < 6; ++k) own = own && (values[k] == INFINITE || descends(values[k], face.w, distance(places[k], p)));
        places[6] = p;
        values[6] = own ? face.w : INFINITE;
    }
    bool below[3];
    float count_below = 0.0;
    for (uint k = 0; k < 3; ++k) {
        below[k] = values[k] <= query.distance;
        count_below += below[k] ? 1.0 : 0.0;
    }
    // The less of a triangle is near, the less of its area counts.
    float area = min(0.5 * length(cross(t.b - t.a, t.c - t.a)) * count_below / 9.0 * query.area_scale, 67108864.0);
    for (uint k = 0; k < 3; ++k) {
        if (!below[k]) continue;
        atomicAdd(work[area_at(v[k])], uint(area));
        atomicMin(work[home_at(v[k])], triangle);
        if (is_vetoed(k, t, large)) atomicOr(work[veto_at(v[k])], 1u);
        link(face_node(triangle), v[k]);
    }
    for (uint k = 0; k < 3; ++k) {
        if (!(values[3 + k] <= query.distance)) continue;
        uint owner = edge_owner(3 * triangle + k);
        link(face_node(triangle), face_node(owner / 3));
        if (owner == 3 * triangle + k) {
            for (uint end = 0; end < 2; ++end) work[edge_at(owner) + end] = floatBitsToUint(along_edge[k][end]);
            add_candidate(edge_number(owner));
            if (along_edge[k].x != along_edge[k].y) add_candidate(edge_number(owner) + 1);
        }
        if (is_vetoed(3 + k, t, large)) atomicOr(work[edge_veto_at(owner)], 1u);
    }
    if (large && sampling == SAMPLING_ALL) {
        uint slot = atomicAdd(touching.large_faces, 1);
        work[large_face_at(slot)] = triangle;
        ask_for_groups(slot + 1);
    }
    if (values[6] <= query.distance) {
        work[face_at(triangle)] = floatBitsToUint(face.y);
        work[face_at(triangle) + 1] = floatBitsToUint(face.z);
        add_candidate(face_number(triangle));
    }
}

void main()
{
    for (uint at = gl_WorkGroupID.x; at < touching.clusters; at += gl_NumWorkGroups.x) {
        ClusterRange range = ranges[touching_list[at]];
        for (uint i = gl_LocalInvocationID.x; i < range.triangle_count; i += gl_WorkGroupSize.x) look_at(range.first_triangle + i);
    }
}
