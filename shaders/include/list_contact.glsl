// How a contact is listed. Needs contacts.glsl, contact_tables.glsl and settle.glsl. Partner: query/contacts/side.rs.
#include "raw_contact.glsl"

vec3 to_pair(vec3 p)
{
    return vec3(dot(query.to_pair[0].xyz, p) + query.to_pair[0].w, dot(query.to_pair[1].xyz, p) + query.to_pair[1].w,
                dot(query.to_pair[2].xyz, p) + query.to_pair[2].w);
}

vec3 face_normal(Corners t)
{
    vec3 face = cross(t.b - t.a, t.c - t.a);
    return dot(face, face) > 0.0 ? normalize(face) : vec3(0.0);
}

// The unit vector out of the field's body at a sample; the mesh's own normal where the field does not tell.
vec3 outwards(FieldSample s, vec3 p, Corners t)
{
    vec3 towards = s.direction;
    if (!s.in_domain) {
        vec3 g = field_clamp(p);
        vec3 seen = field_origin() + g * field.cell + abs(field_value(g)) * s.direction - p;
        towards = length(seen) > 0.0 ? normalize(seen) : towards;
    }
    vec3 out_of_body = s.interior ? towards : -towards;
    if (dot(out_of_body, out_of_body) > 0.0) return out_of_body;
    vec3 face = face_normal(t);
    return dot(face, face) > 0.0 ? -face : vec3(0.0, 0.0, 1.0);
}

// Faces whose normals have a larger cosine are as good as one plane.
const float FLAT_COSINE = 0.996;

// At a minimum inside a face the field changes square to the face, on an edge square to the edge, and where its faces are in one plane
// square to them: what else the field's direction has is interpolation between nodes, and taken out. On an edge where that would be most of
// it, the minimum is at a crease of the field, and nothing is taken out.
vec3 squared_to_feature(vec3 normal, uint kind, uint feature, Corners t, vec3 weights)
{
    if (kind == ON_VERTEX) return normal;
    vec3 plane = face_normal(t);
    bool is_flat = kind == ON_FACE;
    if (kind == ON_EDGE) {
        uint twin = edge_twin(feature);
        vec3 other = twin == NONE ? vec3(0.0) : face_normal(placed_triangle(twin / 3));
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

// The faces around a contact that lie along the field's body. In a corner between walls a vertex of a box is held by each wall that a face
// of the box lies on, while the field has only one direction there, between all of them; and near a rim the field is round, but the faces
// that touch are not.
const uint MOST_SUPPORTS = 3;
struct Supports {
    uint count;
    vec3 normals[MOST_SUPPORTS];
    float values[MOST_SUPPORTS]; // the field at the contact, as it is from the face
    uint faces[MOST_SUPPORTS];
    bool is_flat; // all faces are in one plane
};
// Faces in one plane have normals with a larger cosine, and so has the field's slope with a face that lies along the field's body.
const float COPLANAR_COSINE = 0.999995;
const float ALONG_COSINE = 0.99;
// From a feature into a face to where the field is not round, in cells; and by how much the field may differ there, in cells.
const float SUPPORT_CELLS = 6.0;
const float SUPPORT_LEVEL = 0.5;
// Normals with a smaller cosine are two.
const float APART_COSINE = 0.9;
const uint MOST_AROUND = 32;

// The face after another around a vertex, first one way round, and at a border from the first face on the other way. The first again at
// the end.
uint next_around(uint v, uint at, uint first, inout bool forwards)
{
    uvec3 corners = triangle_corners(at);
    uint k = corners.x == v ? 0 : corners.y == v ? 1 : 2;
    uint twin = edge_twin(3 * at + (forwards ? k : (k + 2) % 3));
    if (twin == NONE && forwards) {
        forwards = false;
        corners = triangle_corners(first);
        k = corners.x == v ? 0 : corners.y == v ? 1 : 2;
        twin = edge_twin(3 * first + (k + 2) % 3);
    }
    return twin == NONE ? first : twin / 3;
}

uint next_face(uint kind, uint feature, uint at, uint first, inout bool forwards)
{
    if (kind == ON_VERTEX) return next_around(feature, at, first, forwards);
    uint twin = edge_twin(feature);
    return at == first && twin != NONE ? twin / 3 : first;
}

// A unit vector from a feature into a face: from an edge square to it, from a corner along the line that halves its angle.
vec3 inwards(uint kind, uint feature, uint at, Corners t)
{
    uvec3 v = triangle_corners(at);
    uint k = kind == ON_EDGE ? (feature / 3 == at ? feature : edge_twin(feature)) % 3 : v.x == feature ? 0 : v.y == feature ? 1 : 2;
    vec3 from = k == 0 ? t.a : k == 1 ? t.b : t.c;
    vec3 first = normalize((k == 0 ? t.b : k == 1 ? t.c : t.a) - from), second = normalize((k == 0 ? t.c : k == 1 ? t.a : t.b) - from);
    return normalize(kind == ON_EDGE ? second - dot(second, first) * first : first + second);
}

Supports supports_of(uint kind, uint feature, uint triangle, vec3 p, float value)
{
    Supports s;
    s.count = 0;
    s.is_flat = true;
    vec3 plane = face_normal(placed_triangle(triangle));
    uint at = triangle;
    bool forwards = true;
    for (uint turn = 0; turn < MOST_AROUND; ++turn) {
        vec3 normal = face_normal(placed_triangle(at));
        if (dot(normal, normal) > 0.0 && dot(normal, plane) < COPLANAR_COSINE) s.is_flat = false;
        at = next_face(kind, feature, at, triangle, forwards);
        if (at == triangle || !s.is_flat) break;
    }
    if (s.is_flat) return s;
    at = triangle;
    forwards = true;
    for (uint turn = 0; turn < MOST_AROUND; ++turn) {
        Corners t = placed_triangle(at);
        vec3 beside = p + SUPPORT_CELLS * field.cell * inwards(kind, feature, at, t);
        vec3 slope = slope_at(beside);
        float from_face = value_of(beside) + dot(slope, p - beside);
        bool is_along = abs(dot(slope, face_normal(t))) > ALONG_COSINE && abs(from_face - value) < SUPPORT_LEVEL * field.cell;
        if (is_along && is_in_domain(beside)) {
            uint k = 0;
            while (k < s.count && dot(s.normals[k], slope) < APART_COSINE) ++k;
            if (k < MOST_SUPPORTS) {
                s.faces[k] = k == s.count ? at : min(s.faces[k], at);
                if (k == s.count) {
                    s.values[k] = from_face;
                    s.normals[s.count++] = slope;
                }
            }
        }
        at = next_face(kind, feature, at, triangle, forwards);
        if (at == triangle) break;
    }
    return s;
}

vec3 turned_to_pair(vec3 v) { return vec3(dot(query.to_pair[0].xyz, v), dot(query.to_pair[1].xyz, v), dot(query.to_pair[2].xyz, v)); }

layout(std430, binding = 7) buffer Raw { uint raw_count; uint raw_pad[3]; RawContact raw[]; };

void write_contact(RawContact c, vec3 normal)
{
    uint slot = atomicAdd(raw_count, 1);
    if (slot >= query.capacity) return;
    vec3 turned = turned_to_pair(normal);
    c.normal = floats(normalize(query.side == 0 ? turned : -turned));
    raw[slot] = c;
}

// Lists a contact at the point of a triangle with these weights. `feature` and `place` name it for the key.
void list_contact(uint kind, uint feature, uint place, uint triangle, vec3 weights, float area, uint region)
{
    Corners t = placed_triangle(triangle);
    vec3 p = weights.x * t.a + weights.y * t.b + weights.z * t.c;
    FieldSample s = sample_field(p);
    vec3 normal = squared_to_feature(outwards(s, p, t), kind, feature, t, weights);
    float slack = 1.2e-6 * (length(p) + 2.0 * query.meeting.shift + query.ratio * length(load_triangle(query.meeting, triangle).a));
    uint from = feature % 3;
    vec3 along = from == 0 ? t.b - t.a : from == 1 ? t.c - t.b : t.a - t.c;
    RawContact c;
    c.point = floats(to_pair(p));
    c.separation = query.unit * s.distance;
    c.area = area * query.unit * query.unit;
    c.lower = query.unit * (s.lower - slack);
    c.upper = query.unit * (field_upper(s, p) + slack);
    c.key_high = query.side << 31 | kind << 29 | place;
    c.key_low = feature;
    c.weights = float[2](weights.y, weights.z);
    c.triangle = triangle;
    c.region = region;
    c.edge = floats(kind == ON_EDGE ? turned_to_pair(along) : vec3(0.0));
    c.pad0 = 0;
    Supports held;
    held.count = 0;
    held.is_flat = false;
    if (kind != ON_FACE && s.in_domain) held = supports_of(kind, feature, triangle, p, s.distance);
    if (kind == ON_VERTEX && held.is_flat) {
        vec3 plane = face_normal(t);
        float cosine = dot(plane, normal);
        if (abs(cosine) > 0.5) normal = cosine < 0.0 ? -plane : plane;
    }
    // What bends less than this is a smooth field, whose slope at the point itself is right.
    if (held.count == 1 && (dot(held.normals[0], normal) <= 0.5 || dot(held.normals[0], normal) >= ALONG_COSINE)) held.count = 0;
    if (held.count == 0) write_contact(c, normal);
    c.area /= float(max(held.count, 1));
    for (uint k = 0; k < held.count; ++k) {
        if (held.count > 1) c.key_high = query.side << 31 | kind << 29 | ((held.faces[k] + 2) & 0x1fffffffu);
        RawContact own = c;
        own.separation = query.unit * held.values[k];
        own.lower = min(c.lower, own.separation);
        own.upper = max(c.upper, own.separation);
        write_contact(own, held.normals[k]);
    }
}
