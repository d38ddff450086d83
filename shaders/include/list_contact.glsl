// How a contact is listed. Needs contact_work.glsl and contact_tables.glsl. Partner: query/contacts/side.rs.
#include "edge_lines.glsl"

// The unit vector out of the field's body at a sample; the mesh's own normal where the field does not tell.
vec3 outwards(FieldSample s, vec3 p, Corners t)
{
    vec3 towards = towards_surface(s, p);
    vec3 out_of_body = s.interior ? towards : -towards;
    if (dot(out_of_body, out_of_body) > 0.0) return out_of_body;
    vec3 face = face_normal(t);
    return dot(face, face) > 0.0 ? -face : vec3(0.0, 0.0, 1.0);
}

// Kinds of features, in the order in which contacts are preferred.
const uint ON_VERTEX = 0;
const uint ON_EDGE = 1;
const uint ON_FACE = 2;

// What is to be listed next; NONE as its kind for nothing.
struct Found {
    uint kind;
    uint feature;
    uint place;
    uint triangle;
    vec3 weights;
    vec3 level; // the weights of a point on the same level, whose normal and separation it has; its own where there is none
    float area;
    uint node;
    // Where two edges cross: how far the other is, along what is square to both, in the pair's frame; zero elsewhere.
    float apart;
    vec3 across;
};
const Found NOTHING = Found(NONE, 0, 0, 0, vec3(0.0), vec3(0.0), 0.0, 0, 0.0, vec3(0.0));

// Faces are in one plane with a vertex where what rises between them counts as level.
const float LEVEL_COSINE = 1.0 - 0.5 * LEVEL_SLOPE * LEVEL_SLOPE;
// The most triangles around a vertex that are looked at.
const uint MOST_AROUND = 32;

// The normal of the plane that all triangles around the vertex with a weight of 1 lie in; zero where they do not.
vec3 plane_around(uint vertex, uint triangle, vec3 weights, vec3 plane)
{
    uint start = 3 * triangle + (weights.x == 1.0 ? 0 : weights.y == 1.0 ? 1 : 2), half_edge = start;
    for (uint i = 0; i < MOST_AROUND; ++i) {
        half_edge = edge_twin(3 * (half_edge / 3) + (half_edge + 2) % 3);
        if (half_edge == start) return plane;
        // At a border, or where neighbours do not run in opposite directions, nobody knows.
        if (half_edge == NONE || triangle_corners(half_edge / 3)[half_edge % 3] != vertex) break;
        if (dot(plane, face_normal(placed_triangle(half_edge / 3))) < LEVEL_COSINE) break;
    }
    return vec3(0.0);
}

// At a minimum inside a face the field changes square to the face, on an edge square to the edge, and where all faces are in one plane
// square to them: what else the field's direction has is interpolation between nodes, and taken out. On an edge where that would be most of
// it, the minimum is at a crease of the field, and nothing is taken out.
vec3 squared_to_feature(vec3 normal, Found f, Corners t)
{
    uint kind = f.kind, feature = f.feature;
    vec3 weights = f.weights, plane = face_normal(t);
    if (kind == ON_VERTEX) {
        float beside = dot(normal, plane_around(feature, f.triangle, weights, plane));
        return beside == 0.0 ? normal : beside < 0.0 ? -plane : plane;
    }
    bool is_flat = kind == ON_FACE;
    if (kind == ON_EDGE) {
        vec3 other = normal_beyond(feature);
        is_flat = dot(plane, other) > FLAT_COSINE;
        if (is_flat) plane = normalize(plane + other);
    }
    float across = dot(normal, plane);
    if (is_flat && across != 0.0) return across < 0.0 ? -plane : plane;
    vec3 along = weights.x == 0.0 ? t.c - t.b : weights.y == 0.0 ? t.a - t.c : t.b - t.a;
    vec3 squared = dot(along, along) > 0.0 && !is_flat ? normal - along * (dot(normal, along) / dot(along, along)) : normal;
    float size = length(squared);
    return size > 0.5 ? squared / size : normal;
}

// What is square to two edges that cross is what the field says roughly, or they are not what meets.
const float LIKELY_COSINE = 0.7;

// Between its nodes a field is lowest up to a cell beside where it should be, because a round bottom rises by less than interpolation errs. A
// parabola through points this many cells to both sides tells better.
const float BOWL_CELLS = 4.0;

// Where a parabola is lowest that rises by so much to both sides of zero. What rises very differently is no bowl.
float bottom(float upwards, float downwards)
{
    bool is_bowl = min(upwards, downwards) > query.noise && max(upwards, downwards) < 4.0 * min(upwards, downwards);
    return is_bowl ? 0.5 * BOWL_CELLS * field.cell * (downwards - upwards) / (upwards + downwards) : 0.0;
}

// Weights after a step in the plane of a triangle: by x along its first edge and y towards its third corner, square to that.
vec3 moved_in_plane(vec3 weights, Corners t, vec2 step)
{
    vec3 ab = t.b - t.a, ac = t.c - t.a;
    float along = dot(ac, ab) / length(ab), height = length(cross(ab, ac)) / length(ab);
    float third = step.y / height, second = (step.x - third * along) / length(ab);
    return weights + vec3(-second - third, second, third);
}

// Lists a contact at the point of a triangle with its weights. `feature` and `place` name it for the key.
void list_contact(Found f, uint region)
{
    uint slot = atomicAdd(raw[query.raw_at].region, 1);
    if (slot >= query.capacity) return;
    Corners t = placed_triangle(f.triangle);
    vec3 p, out_of_body;
    float separation;
    FieldSample s;
    // Where what is level ends, the other body does, and the direction of its field leans. Then the point itself; in a face, those to its sides,
    // and the bottom between them. One loop, because a device compiles what is sampled at each place anew.
    const uint OWN = 1, BOTTOM = 6;
    uint first = f.level == f.weights ? OWN : 0, last = f.kind == ON_FACE ? BOTTOM : OWN;
    vec4 rises = vec4(0.0);
    for (uint turn = first; turn <= last; ++turn) {
        vec3 weights = turn == 0 ? f.level : f.weights;
        if (turn > OWN) {
            float reach = (turn % 2 == 0 ? BOWL_CELLS : -BOWL_CELLS) * field.cell;
            vec2 step = turn < 4 ? vec2(reach, 0.0) : vec2(0.0, reach);
            if (turn == BOTTOM) {
                step = vec2(bottom(rises.x, rises.y), bottom(rises.z, rises.w));
                weights = moved_in_plane(weights, t, step);
                if (step == vec2(0.0) || !all(greaterThanEqual(weights, vec3(0.0)))) break;
            } else weights = moved_in_plane(weights, t, step);
        }
        vec3 place = weights.x * t.a + weights.y * t.b + weights.z * t.c;
        FieldSample sampled = sample_field(place);
        if (turn > OWN && turn < BOTTOM) rises[turn - OWN - 1] = sampled.distance - s.distance;
        // What rises by more than interpolation errs, an eighth of a cell's square times the bends, is no bottom.
        float most = dot(rises, vec4(1.0)) / (8.0 * BOWL_CELLS * BOWL_CELLS) + query.noise;
        bool stays = turn == BOTTOM && !(sampled.distance <= s.distance + most);
        if (turn <= OWN || (turn == BOTTOM && !stays)) {
            p = place;
            s = sampled;
            f.weights = turn == 0 ? f.weights : weights;
        }
        if (turn == first) out_of_body = outwards(s, p, t);
        if (turn == first || (turn == BOTTOM && !stays)) separation = field_estimate(s, p);
    }
    vec3 normal = squared_to_feature(out_of_body, f, t);
    vec3 turned = vec3(dot(query.to_pair[0].xyz, normal), dot(query.to_pair[1].xyz, normal), dot(query.to_pair[2].xyz, normal));
    if (abs(dot(turned, f.across)) > LIKELY_COSINE * query.unit) {
        // Samples near an edge of the other body tell neither which side they are on nor how far it is; the edges do.
        vec3 out_of_edge = face_normal(t) + normal_beyond(f.feature);
        out_of_edge = vec3(dot(query.to_pair[0].xyz, out_of_edge), dot(query.to_pair[1].xyz, out_of_edge), dot(query.to_pair[2].xyz, out_of_edge));
        bool is_out = dot(out_of_edge, f.across) > 0.0;
        turned = is_out ? -f.across : f.across;
        separation = (is_out ? f.apart : -f.apart) / query.unit;
    }
    float slack = 1.2e-6 * (length(p) + 2.0 * query.meeting.shift + query.ratio * length(load_triangle(query.meeting, f.triangle).a));
    float lower = s.lower - slack, upper = field_upper(s, p) + slack;
    RawContact c;
    c.point = floats(to_pair(p));
    c.separation = query.unit * clamp(separation, lower, upper);
    c.normal = floats(normalize(query.side == 0 ? turned : -turned));
    c.area = f.area * query.unit * query.unit;
    c.lower = query.unit * lower;
    c.upper = query.unit * upper;
    c.key_high = query.side << 31 | f.kind << 29 | f.place;
    c.key_low = f.feature;
    c.weights = float[2](f.weights.y, f.weights.z);
    c.triangle = f.triangle;
    c.region = region;
    raw[query.raw_at + 1 + slot] = c;
}

void list(Found f)
{
    if (f.kind != NONE) list_contact(f, region_of(f.node));
}
