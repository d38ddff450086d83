// Sharp edges with a minimum of their own, for the other side of the pair. Where two of them cross, the edges tell where the contact is, to
// rounding; samples of a field tell it to a cell. Needs contacts.glsl and contact_tables.glsl. Partner: query/contacts/side.rs.
#include "raw_contact.glsl"

layout(std430, binding = 7) buffer Raw { RawContact raw[]; };

// Lines of a side that there is room for. Where there are more, none is looked at: which of them had room would depend on the order.
const uint MOST_LINES = 256;

// After the contacts of a pair: an edge as two points in the place of `point` and `normal`. The element before the contacts counts them, those
// of side 0 by `triangle` and those of side 1 by `key_low`.
uint line_at(uint side, uint i) { return query.raw_at + 1 + query.capacity + side * MOST_LINES + i; }
uint line_count(uint side) { return side == 0 ? raw[query.raw_at].triangle : raw[query.raw_at].key_low; }

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

// The normal of the other triangle of an edge; zero where there is none.
vec3 normal_beyond(uint half_edge)
{
    uint twin = edge_twin(half_edge);
    return twin == NONE ? vec3(0.0) : face_normal(placed_triangle(twin / 3));
}

// Faces whose normals have a larger cosine are as good as one plane.
const float FLAT_COSINE = 0.996;

void add_line(vec3 p, vec3 q)
{
    uint slot = query.side == 0 ? atomicAdd(raw[query.raw_at].triangle, 1) : atomicAdd(raw[query.raw_at].key_low, 1);
    if (slot >= MOST_LINES) return;
    raw[line_at(query.side, slot)].point = floats(to_pair(p));
    raw[line_at(query.side, slot)].normal = floats(to_pair(q));
}

// Where an edge crosses one of the other body's.
struct Crossing {
    float along;  // as a part of the edge
    float apart;  // from the edge to the other along `across`
    vec3 across;  // square to both, of length one
    float sine;   // of the angle between them; zero where there is none
};

// That of the crossings with lines of the other side which is nearest to `along`, on an edge from p to q in the pair's frame, within two samples.
// Edges that are farther apart than the surface can be from the other body at `along` are not what it meets.
Crossing crossing_near(vec3 p, vec3 q, float along, float value)
{
    Crossing best = Crossing(along, 0.0, vec3(0.0), 0.0);
    uint other = 1 - query.side, count = line_count(other);
    if (count > MOST_LINES) return best;
    vec3 u = q - p;
    float reach = 2.0 * query.unit * query.spacing, uu = dot(u, u), nearest = reach;
    float most_apart = query.unit * (abs(value) + field.error);
    for (uint i = 0; i < count; ++i) {
        RawContact line = raw[line_at(other, i)];
        vec3 a = vec3(line.point[0], line.point[1], line.point[2]), v = vec3(line.normal[0], line.normal[1], line.normal[2]) - a, w = p - a;
        float vv = dot(v, v), uv = dot(u, v), uw = dot(u, w), vw = dot(v, w), square = uu * vv - uv * uv;
        if (!(square > 1e-3 * uu * vv)) continue;
        float s = (uv * vw - vv * uw) / square, t = (uu * vw - uv * uw) / square;
        vec3 across = normalize(cross(u, v));
        float move = abs(s - along) * sqrt(uu), apart = -dot(w, across);
        bool is_nearer = move < nearest || (move == nearest && s < best.along);
        if (!(is_nearer && s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0 && abs(apart) <= most_apart)) continue;
        nearest = move;
        best = Crossing(s, apart, across, sqrt(square / (uu * vv)));
    }
    return best;
}
