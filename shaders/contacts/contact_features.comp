#version 460
// Contacts, third: for each triangle the smallest value on its edges and in its face, and which of its corners, edges and face the surface
// descends from; these are vetoed. What is connected below the contact distance is linked to a region. An edge's minimum is computed from
// its lower vertex on, so that both triangles find the same bits. Edges and faces that need a search are gathered first, and the lanes of
// a workgroup share them. Partner: query/contacts/side.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 9
#include "field.glsl"
#include "meeting.glsl"
#include "contacts.glsl"
#define WORK_ACCESS coherent
#define LINKS
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

// Whether a parabola through the ends of a length and its middle is below both ends by half of what a minimum of its own must be.
bool dips(vec2 ends, float middle_value, float size)
{
    float bend = ends.x + ends.y - 2.0 * middle_value, tilt = ends.x - ends.y;
    float beside = 0.5 - abs(tilt) / (4.0 * bend), least = middle_value - tilt * tilt / (16.0 * bend);
    return least < min(ends.x, ends.y) - 0.5 * LEVEL_SLOPE * beside * size - query.noise;
}

EdgeMinimum edge_minimum(vec3 p, vec3 q, vec2 ends)
{
    float lower_end = min(ends.x, ends.y);
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
            // Only what is below both ends is a minimum of its own; on a short edge, if the parabola through both ends and the middle is.
            if (is_plain || best.value >= lower_end - query.noise) break;
            if (turn == 1.0 && count == 1.0 && !dips(ends, best.value, size)) break;
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
    float size = longest_edge(t), count = clamp(ceil(size / query.spacing), 1.0, FACE_CELLS), inverse = 1.0 / count;
    float least_dip = 0.25 * LEVEL_SLOPE * size * inverse + query.noise;
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
            if (best.w >= lowest - least_dip) break;
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

// A distance falls by at most this per length: one, and a little for interpolation.
const float STEEPEST = 1.2;

// What the lanes know of a triangle each, and the searches that are left: lanes share them, because few triangles need one.
const uint TRIANGLES = 64;
shared vec3 shared_corners[3 * TRIANGLES];
shared float shared_values[3 * TRIANGLES];
shared vec4 edge_found[3 * TRIANGLES]; // along, value, begin, end
shared vec4 face_found[TRIANGLES];
shared uint searches[3 * TRIANGLES];
shared uint search_count;

const uint TURNED = 0x100;

void start_searches()
{
    barrier();
    if (gl_LocalInvocationID.x == 0) search_count = 0;
    barrier();
}

// Which edges may have a minimum of their own: a short one whose middle can be below both ends, and every long one.
void ask_for_edges(uvec3 v, Corners t)
{
    uint lane = gl_LocalInvocationID.x;
    vec3 corners[3] = vec3[3](t.a, t.b, t.c);
    for (uint k = 0; k < 3; ++k) {
        uint next = (k + 1) % 3;
        float size = distance(corners[k], corners[next]);
        bool is_short = size <= query.spacing;
        if (is_short && abs(shared_values[3 * lane + k] - shared_values[3 * lane + next]) >= 0.5 * STEEPEST * size) continue;
        searches[atomicAdd(search_count, 1)] = 3 * lane + k | (v[next] < v[k] ? TURNED : 0);
    }
}

void search_edge(uint search)
{
    uint edge = search & (TURNED - 1), k = edge % 3, next = edge - k + (k + 1) % 3;
    bool turned = (search & TURNED) != 0;
    uint from = turned ? next : edge, to = turned ? edge : next;
    vec3 p = shared_corners[from], q = shared_corners[to];
    vec2 ends = vec2(shared_values[from], shared_values[to]);
    EdgeMinimum found = edge_minimum(p, q, ends);
    float size = distance(p, q);
    bool own = descends(ends.x, found.value, found.along * size) && descends(ends.y, found.value, (1.0 - found.along) * size);
    if (!own) return;
    edge_found[edge] = turned ? vec4(1.0 - found.along, found.value, 1.0 - found.end, 1.0 - found.begin)
                              : vec4(found.along, found.value, found.begin, found.end);
}

Corners shared_triangle(uint i) { return Corners(shared_corners[3 * i], shared_corners[3 * i + 1], shared_corners[3 * i + 2]); }

// The smallest of the corners of a triangle and of the minima on its edges.
float lowest_of(uint i)
{
    float lowest = INFINITE;
    for (uint k = 3 * i; k < 3 * i + 3; ++k) lowest = min(lowest, min(shared_values[k], edge_found[k].y));
    return lowest;
}

// Whether the face of a small triangle may have a minimum of its own.
bool may_dip(uint i, Corners t)
{
    float highest = max(shared_values[3 * i], max(shared_values[3 * i + 1], shared_values[3 * i + 2]));
    return longest_edge(t) > query.spacing || highest - lowest_of(i) < STEEPEST * radius_of(t);
}

void search_face(uint i)
{
    Corners t = shared_triangle(i);
    vec4 face = face_minimum(t, lowest_of(i));
    vec3 p = face.x * t.a + face.y * t.b + face.z * t.c;
    bool own = face.w <= query.distance;
    vec3 corners[3] = vec3[3](t.a, t.b, t.c);
    for (uint k = 0; k < 3; ++k) {
        vec4 edge = edge_found[3 * i + k];
        own = own && descends(shared_values[3 * i + k], face.w, distance(corners[k], p)) &&
              (edge.y == INFINITE || descends(edge.y, face.w, distance(mix(corners[k], corners[(k + 1) % 3], edge.x), p)));
    }
    if (own) face_found[i] = face;
}

// What a triangle says of its corners, edges and face, when the searches are done.
void conclude(uint triangle, uvec3 v, Corners t, bool large)
{
    uint lane = gl_LocalInvocationID.x;
    vec3 corners[3] = vec3[3](t.a, t.b, t.c);
    vec4 face = face_found[lane];
    bool has_spots = large || face.w < INFINITE;
    for (uint k = 0; k < 3; ++k) has_spots = has_spots || edge_found[3 * lane + k].y < INFINITE;
    if (has_spots) {
        for (uint k = 0; k < 3; ++k) {
            vec4 edge = edge_found[3 * lane + k];
            places[k] = corners[k];
            values[k] = shared_values[3 * lane + k];
            places[3 + k] = mix(corners[k], corners[(k + 1) % 3], edge.x);
            values[3 + k] = edge.y;
        }
        places[6] = face.x * t.a + face.y * t.b + face.z * t.c;
        values[6] = face.w;
    }
    // What of the triangle is below the distance is linked to the first of these: a corner if there is one.
    uint anchor = face_node(triangle);
    for (uint k = 0; k < 3; ++k)
        if (shared_values[3 * lane + k] <= query.distance) anchor = min(anchor, v[k]);
    for (uint k = 0; k < 3; ++k) {
        float value = shared_values[3 * lane + k];
        if (!(value <= query.distance)) continue;
        uint next = (k + 1) % 3, last = (k + 2) % 3;
        bool vetoed = descends(value, shared_values[3 * lane + next], distance(corners[k], corners[next])) ||
                      descends(value, shared_values[3 * lane + last], distance(corners[k], corners[last]));
        if (has_spots) vetoed = vetoed || is_vetoed(k, t, large);
        if (vetoed) atomicOr(work[veto_at(v[k])], 1u);
        if (v[k] != anchor) link(v[k], anchor);
    }
    if (!has_spots) return;
    if (anchor != face_node(triangle)) link(face_node(triangle), anchor);
    for (uint k = 0; k < 3; ++k) {
        if (!(values[3 + k] <= query.distance)) continue;
        uint owner = edge_owner(3 * triangle + k);
        link(face_node(triangle), face_node(owner / 3));
        if (owner == 3 * triangle + k) {
            vec2 ends = edge_found[3 * lane + k].zw;
            for (uint end = 0; end < 2; ++end) work[edge_at(owner) + end] = floatBitsToUint(ends[end]);
            add_candidate(edge_number(owner));
            if (ends.x != ends.y) add_candidate(edge_number(owner) + 1);
        }
        if (is_vetoed(3 + k, t, large)) atomicOr(work[edge_veto_at(owner)], 1u);
    }
    if (large && query.sampling == SAMPLING_ALL) {
        uint slot = atomicAdd(touching.large_faces, 1);
        work[large_face_at(slot)] = triangle;
        ask_for_groups(slot + 1);
    }
    if (face.w <= query.distance) {
        work[face_at(triangle)] = floatBitsToUint(face.y);
        work[face_at(triangle) + 1] = floatBitsToUint(face.z);
        add_candidate(face_number(triangle));
    }
}

// All lanes, for a triangle each; those without one help with the searches of others.
void look_at(uint triangle, bool is_given)
{
    uint lane = gl_LocalInvocationID.x;
    uvec3 v = uvec3(0);
    Corners t = Corners(vec3(0.0), vec3(0.0), vec3(0.0));
    bool near = false, large = false;
    start_searches();
    if (is_given) {
        v = triangle_corners(triangle);
        t = placed_triangle(triangle);
        vec3 at_corners = vec3(uintBitsToFloat(work[value_at(v.x)]), uintBitsToFloat(work[value_at(v.y)]), uintBitsToFloat(work[value_at(v.z)]));
        large = is_large(t);
        // Every point of it is within its size of a corner.
        near = large || min(at_corners.x, min(at_corners.y, at_corners.z)) <= query.distance + longest_edge(t);
        shared_corners[3 * lane] = t.a;
        shared_corners[3 * lane + 1] = t.b;
        shared_corners[3 * lane + 2] = t.c;
        for (uint k = 0; k < 3; ++k) {
            shared_values[3 * lane + k] = at_corners[k];
            edge_found[3 * lane + k] = vec4(0.5, INFINITE, 0.5, 0.5);
        }
        face_found[lane] = vec4(vec3(1.0 / 3.0), INFINITE);
    }
    if (near && query.sampling != SAMPLING_VERTICES) ask_for_edges(v, t);
    barrier();
    for (uint i = lane; i < search_count; i += TRIANGLES) search_edge(searches[i]);
    start_searches();
    if (near && !large && query.sampling == SAMPLING_ALL && may_dip(lane, t)) searches[atomicAdd(search_count, 1)] = lane;
    barrier();
    for (uint i = lane; i < search_count; i += TRIANGLES) search_face(searches[i]);
    barrier();
    if (near) conclude(triangle, v, t, large);
}

void main()
{
    for (uint at = gl_WorkGroupID.x; at < touching.clusters; at += gl_NumWorkGroups.x) {
        ClusterRange range = ranges[touching_list[at]];
        for (uint first = 0; first < range.triangle_count; first += TRIANGLES) {
            uint i = first + gl_LocalInvocationID.x;
            look_at(range.first_triangle + i, i < range.triangle_count);
        }
    }
}
