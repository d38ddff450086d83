#version 460
// Contacts, seventh: the vertices, edges and faces from which the surface does not descend; and all minima of large faces, which the lanes
// of a workgroup look for on a lattice. Where a face is level, its rim and a few points between stand for all. Partner:
// query/contacts/side.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 9
#include "field.glsl"
#include "meeting.glsl"
#include "contacts.glsl"
#include "contact_work.glsl"
#include "contact_tables.glsl"
#include "list_contact.glsl"

// What is to be listed next; NONE as its kind for nothing.
struct Found {
    uint kind;
    uint feature;
    uint place;
    uint triangle;
    vec3 weights;
    float area;
    uint node;
};
const Found NOTHING = Found(NONE, 0, 0, 0, vec3(0.0), 0.0, 0);

void list(Found f)
{
    if (f.kind != NONE) list_contact(f.kind, f.feature, f.place, f.triangle, f.weights, f.area, region_of(f.node));
}

float area_of(Corners t) { return 0.5 * length(cross(t.b - t.a, t.c - t.a)); }

Found at_vertex(uint v)
{
    uint home = work[home_at(v)];
    uvec3 corners = triangle_corners(home);
    vec3 weights = vec3(corners.x == v, corners.x != v && corners.y == v, corners.x != v && corners.y != v);
    return Found(ON_VERTEX, v, 0, home, weights, float(work[area_at(v)]) / query.area_scale, v);
}

// Where a minimum on an edge begins, or ends.
Found at_edge(uint half_edge, uint end)
{
    uint triangle = half_edge / 3, from = half_edge % 3;
    float along = uintBitsToFloat(work[edge_at(half_edge) + end]);
    vec3 weights = vec3(0.0);
    weights[from] = 1.0 - along;
    weights[(from + 1) % 3] = along;
    float area = min(area_of(placed_triangle(triangle)) * (2.0 / 3.0), query.spacing * query.spacing);
    return Found(ON_EDGE, half_edge, end, triangle, weights, area, face_node(triangle));
}

Found at_face(uint triangle)
{
    float second = uintBitsToFloat(work[face_at(triangle)]), third = uintBitsToFloat(work[face_at(triangle) + 1]);
    vec3 weights = vec3(1.0 - second - third, second, third);
    return Found(ON_FACE, triangle, 0, triangle, weights, area_of(placed_triangle(triangle)), face_node(triangle));
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

// The lattice of a large face: square, from corner a along the first edge, so that a point keeps its number when the bodies move.
struct Lattice {
    Corners t;
    vec3 u;
    vec3 w;
    // Weights of corners b and c are these times what a point is from a.
    vec3 to_b;
    vec3 to_c;
    // The middle and half the number of points along a side of what can come near.
    ivec2 centre;
    int half_count;
};
const int MOST_HALF = 1024;
// Points along the side of a block.
const int BLOCK = 8;

bool lattice_of(Corners t, out Lattice l)
{
    vec3 b = t.b - t.a, c = t.c - t.a, n = cross(b, c);
    if (!(dot(n, n) > 0.0) || !(dot(b, b) > 0.0)) return false;
    l.t = t;
    l.u = normalize(b);
    vec3 up = normalize(n);
    l.w = cross(up, l.u);
    l.to_b = cross(c, n) / dot(b, cross(c, n));
    l.to_c = cross(b, n) / dot(c, cross(b, n));
    vec3 size = field_cells() * field.cell, middle_of_field = field_origin() + 0.5 * size - t.a;
    float radius = 0.5 * length(size) + query.distance, off = dot(middle_of_field, up);
    if (!(abs(off) <= radius)) return false;
    l.centre = ivec2(round(dot(middle_of_field, l.u) / query.spacing), round(dot(middle_of_field, l.w) / query.spacing));
    l.half_count = min(int(ceil(sqrt(radius * radius - off * off) / query.spacing)), MOST_HALF);
    return true;
}

vec3 lattice_point(Lattice l, vec2 at) { return l.t.a + query.spacing * (at.x * l.u + at.y * l.w); }

vec3 weights_of(Lattice l, vec3 p)
{
    vec2 bc = vec2(dot(p - l.t.a, l.to_b), dot(p - l.t.a, l.to_c));
    return vec3(1.0 - bc.x - bc.y, bc);
}
bool is_inside(vec3 weights) { return min(weights.x, min(weights.y, weights.z)) > 1e-4; }

// Whether a circle in the plane of the face may have a point inside of it: a weight changes by no more than its slope times the way.
bool may_meet_face(Lattice l, vec3 centre, float radius)
{
    vec3 slopes = vec3(length(l.to_b + l.to_c), length(l.to_b), length(l.to_c));
    return all(greaterThanEqual(weights_of(l, centre), -1.0001 * radius * slopes - 1e-4));
}

const ivec2 SIDES[4] = ivec2[4](ivec2(1, 0), ivec2(-1, 0), ivec2(0, 1), ivec2(0, -1));
const uint REFINEMENTS = 9;

// A point of the lattice that no neighbour is below, moved downhill; nothing where downhill leads out of the face, whose edge or
// neighbour has the minimum then.
Found at_lattice(Lattice l, uint triangle, ivec2 at)
{
    vec2 best_at = vec2(at);
    float value = INFINITE, step = 1.0;
    bool surrounded = true;
    // The point itself; its neighbours; ever smaller steps downhill; and a look around, beyond the rim too.
    const uint FIRST = 1, DOWNHILL = 5, AROUND = DOWNHILL + 4 * REFINEMENTS, TURNS = AROUND + 4;
    for (uint turn = 0; turn < TURNS; ++turn) {
        uint way = (turn + 3) & 3u;
        if (turn >= DOWNHILL && turn < AROUND && way == 0) step *= 0.5;
        if (turn >= AROUND) step = 0.25;
        vec2 there = best_at + (turn == 0 ? vec2(0.0) : step * vec2(SIDES[way]));
        vec3 p = lattice_point(l, there);
        bool inside = is_inside(weights_of(l, p));
        float beside = value_of(p);
        if (turn == 0) {
            if (!inside || !(beside <= query.distance + 0.75 * query.spacing)) return NOTHING;
            value = beside;
        } else if (turn < DOWNHILL) {
            if (inside && descends(value, beside, query.spacing)) return NOTHING;
            surrounded = surrounded && inside && !descends(beside, value, query.spacing);
        } else if (turn < AROUND) {
            if (!surrounded && inside && beside < value - 0.05 * query.noise) {
                value = beside;
                best_at = there;
            }
        } else if (!inside && descends(value, beside, step * query.spacing)) return NOTHING;
        if (turn == DOWNHILL - 1 && surrounded) {
            if (any(notEqual(at & 3, ivec2(0)))) return NOTHING;
            break;
        }
    }
    if (!(value <= query.distance)) return NOTHING;
    uint place = (uint(at.x) & 0x3fffu) << 14 | (uint(at.y) & 0x3fffu);
    float area = query.spacing * query.spacing * (surrounded ? 16.0 : 1.0);
    return Found(ON_FACE, triangle, place, triangle, weights_of(l, lattice_point(l, best_at)), area, face_node(triangle));
}

shared uint near_blocks[64];
shared uint near_count;

// All lanes, for one large face: first which blocks of its lattice can come near, then their points.
void list_large(uint triangle)
{
    Lattice l;
    bool has_lattice = lattice_of(placed_triangle(triangle), l);
    int blocks = has_lattice ? (2 * l.half_count + BLOCK) / BLOCK : 0;
    float radius = 0.7072 * float(BLOCK) * query.spacing * 1.00001;
    for (int first = 0; first < blocks * blocks; first += 64) {
        if (gl_LocalInvocationID.x == 0) near_count = 0;
        barrier();
        int block = first + int(gl_LocalInvocationID.x);
        ivec2 corner = l.centre - l.half_count + BLOCK * ivec2(block % blocks, block / blocks);
        vec3 middle_of_block = lattice_point(l, vec2(corner) + 0.5 * float(BLOCK - 1));
        bool near = block < blocks * blocks && may_meet_face(l, middle_of_block, radius) &&
                    value_of(middle_of_block) - field.error <= radius + query.distance + query.spacing;
        if (near) near_blocks[atomicAdd(near_count, 1)] = uint(block);
        barrier();
        uint count = near_count;
        for (uint k = 0; k < count; ++k) {
            int chosen = int(near_blocks[k]);
            ivec2 from = l.centre - l.half_count + BLOCK * ivec2(chosen % blocks, chosen / blocks);
            int point = int(gl_LocalInvocationID.x);
            list(at_lattice(l, triangle, from + ivec2(point % BLOCK, point / BLOCK)));
        }
        barrier();
    }
}

void main()
{
    uint i = gl_GlobalInvocationID.x;
    // The test at the end, as in contact_values.comp.
    do {
        if (i < touching.candidates) list(candidate(work[candidate_at(i)]));
        i += gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    } while (i < touching.candidates);
    for (uint face = gl_WorkGroupID.x; face < touching.large_faces; face += gl_NumWorkGroups.x) list_large(work[large_face_at(face)]);
}
