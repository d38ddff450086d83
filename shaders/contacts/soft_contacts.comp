#version 460
// Soft contacts: every vertex, edge and face of the clusters that may touch whose nearest point is within the distance, each by itself
// and unreduced. An edge counts where a point inside of it is nearer than its ends, a face where one is nearer than its rim, so that no
// place is listed twice. Partner: query/contacts/soft.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 9
#define SIDE_GROUPS(asked) min((asked).clusters, MOST_GROUPS)
#include "field.glsl"
#include "meeting.glsl"
#include "contacts.glsl"
#include "contact_tables.glsl"
#include "floats.glsl"

// A soft contact, in the field's frame and units.
struct SoftRecord {
    float point[3];
    float distance;
    float normal[3]; // out of the field's body, or zero where the field does not tell
    float lower;
    float upper;
    uint kind;
    uint feature; // a vertex, a half-edge or a triangle in cluster order
    uint body;
    float weights[2]; // of the triangle's second and third corner
    uint pad[2];
};
layout(std430, binding = 7) buffer SoftList { uint soft_count; uint soft_pad[3]; SoftRecord soft[]; };

// Kinds of features; partner: ContactFeature in query/contacts.rs.
const uint SOFT_VERTEX = 0;
const uint SOFT_EDGE = 1;
const uint SOFT_FACE = 2;

const float INFINITE = 3.0e38;
// The most samples along an edge, or along the side of a face, before the smallest is refined, and halvings of the step when it is.
const float EDGE_SAMPLES = 32.0;
const float FACE_SAMPLES = 16.0;
const uint HALVINGS = 10;
// Smaller steps than this part of the spacing do not change a minimum by what the field resolves.
const float LEAST_STEP = 0.002;

// What the certified distance at a point is off by because the point was placed in f32.
float slack_at(vec3 p, float size) { return 1.2e-6 * (length(p) + 2.0 * query.meeting.shift + query.ratio * size); }

void list_soft(uint kind, uint feature, vec3 p, float own_size, vec3 weights)
{
    FieldSample s = sample_field(p);
    float slack = slack_at(p, own_size);
    // Nothing is missed: what may be within the distance is listed.
    if (!(s.lower - slack <= query.distance)) return;
    uint slot = atomicAdd(soft_count, 1);
    if (slot >= query.capacity) return;
    vec3 towards = towards_surface(s, p);
    SoftRecord c;
    c.point = floats(p);
    c.distance = s.distance;
    c.normal = floats(s.interior ? towards : -towards);
    c.lower = s.lower - slack;
    c.upper = field_upper(s, p) + slack;
    c.kind = kind;
    c.feature = feature;
    c.body = query.side;
    c.weights = float[2](weights.y, weights.z);
    c.pad = uint[2](0, 0);
    soft[slot] = c;
}

vec3 point_of(Corners t, vec3 weights) { return weights.x * t.a + weights.y * t.b + weights.z * t.c; }

// The smallest value among samples of an edge or a face, moved downhill: weights, and the value in w. `first` is the edge's first corner; 3
// for the face.
vec4 minimum_of(Corners t, uint first, float size, float bound)
{
    bool is_face = first == 3;
    float count = clamp(ceil(size / query.spacing), 1.0, is_face ? FACE_SAMPLES : EDGE_SAMPLES);
    float samples = is_face ? count * count : count, step = 0.5 / count, row = 0.0, cell = 0.0;
    uint ways = is_face ? 6 : 2, way = 0;
    vec4 best = vec4(vec3(1.0 / 3.0), INFINITE);
    // The bound of the whole holds also where a length is no number.
    float most = FACE_SAMPLES * FACE_SAMPLES + float(6 * HALVINGS);
    for (float turn = 0.0; turn < most && turn < samples + float(ways * HALVINGS); turn += 1.0) {
        vec3 weights = vec3(0.0);
        if (turn < samples && is_face) {
            // The middle of a cell: those that point as the triangle have it a third of the way, the others two thirds.
            float half_cell = floor(0.5 * cell), third = cell == 2.0 * half_cell ? 1.0 / 3.0 : 2.0 / 3.0;
            float down = (row + 1.0 - third) / count, along = (half_cell + third) / count;
            weights = vec3(1.0 - down, down - along, along);
            cell += 1.0;
            if (cell > 2.0 * row) {
                row += 1.0;
                cell = 0.0;
            }
        } else if (turn < samples) {
            float along = (turn + 0.5) / count;
            weights[first] = 1.0 - along;
            weights[(first + 1) % 3] = along;
        } else {
            // What cannot descend below the ends, or the rim, has no minimum of its own.
            if (best.w - size / count >= bound || step * size < LEAST_STEP * query.spacing) break;
            uint from = is_face ? way >> 1 : (first + way) % 3;
            uint to = is_face ? (from + 1 + (way & 1u)) % 3 : (first + 1 - way) % 3;
            weights = best.xyz;
            float by = min(step, weights[from]);
            weights[from] -= by;
            weights[to] += by;
            way = way + 1 == ways ? 0 : way + 1;
            if (way == 0) step *= 0.5;
        }
        float value = value_of(point_of(t, weights));
        if (value < best.w) best = vec4(weights, value);
    }
    return best;
}

void look_at(uint triangle)
{
    Corners own = load_triangle(query.meeting, triangle);
    Corners t = placed_triangle(triangle);
    float own_size = max(length(own.a), max(length(own.b), length(own.c)));
    vec3 centre = middle(t);
    // No distance changes by more than a point moves.
    if (!(value_of(centre) - field.error - slack_at(centre, own_size) <= radius_of(t) + query.distance)) return;
    vec3 corners[3] = vec3[3](t.a, t.b, t.c);
    vec3 lengths = vec3(distance(t.a, t.b), distance(t.b, t.c), distance(t.c, t.a));
    float values[3] = float[3](value_of(t.a), value_of(t.b), value_of(t.c));
    float rim = min(values[0], min(values[1], values[2]));
    for (uint k = 0; k < 3; ++k) {
        uint half_edge = 3 * triangle + k;
        float ends = min(values[k], values[(k + 1) % 3]);
        vec4 found = vec4(0.0, 0.0, 0.0, INFINITE);
        if (query.sampling == SAMPLING_EDGE_CENTRES) {
            found.xyz[k] = 0.5;
            found.xyz[(k + 1) % 3] = 0.5;
            found.w = edge_owner(half_edge) == half_edge ? -INFINITE : INFINITE;
        } else {
            found = minimum_of(t, k, lengths[k], ends);
            rim = min(rim, found.w);
            if (edge_owner(half_edge) != half_edge || !(found.w < ends - query.noise)) found.w = INFINITE;
        }
        if (found.w < INFINITE) list_soft(SOFT_EDGE, half_edge, point_of(t, found.xyz), own_size, found.xyz);
    }
    if (query.sampling == SAMPLING_EDGE_CENTRES) return;
    vec4 face = minimum_of(t, 3, max(lengths.x, max(lengths.y, lengths.z)), rim);
    if (face.w < rim - query.noise) list_soft(SOFT_FACE, triangle, point_of(t, face.xyz), own_size, face.xyz);
}

void main()
{
    take_side();
    for (uint at = side_group; at < touching.clusters; at += side_groups) {
        ClusterRange range = ranges[work[touching_cluster_at(at)]];
        for (uint i = gl_LocalInvocationID.x; i < range.vertex_count; i += gl_WorkGroupSize.x) {
            if (!owns_vertex(range.first_vertex + i)) continue;
            uint v = cluster_vertex(range.first_vertex + i);
            vec3 own = load_position(v, query.meeting.first, query.meeting.stride);
            list_soft(SOFT_VERTEX, v, placed(query.meeting, own), length(own), vec3(1.0, 0.0, 0.0));
        }
        if (query.sampling == SAMPLING_VERTICES) continue;
        for (uint i = gl_LocalInvocationID.x; i < range.triangle_count; i += gl_WorkGroupSize.x) look_at(range.first_triangle + i);
    }
}
