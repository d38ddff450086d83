#version 460
// Contacts, beside the seventh: all minima of large faces, which the lanes of a workgroup look for on a lattice. Where a face is level, its
// rim and a few points between stand for all. Partner: query/contacts/side.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 9
#define SIDE_GROUPS(asked) min((asked).large_faces, MOST_GROUPS)
#include "field.glsl"
#include "meeting.glsl"
#include "contacts.glsl"
#include "contact_work.glsl"
#include "contact_tables.glsl"
#include "list_contact.glsl"

// The lattice of a large face: square, from corner a along the first edge, so that a point keeps its number when the bodies move.
struct Lattice {
    Corners t;
    vec3 u;
    vec3 w;
    // Weights of corners b and c are these times what a point is from a.
    vec3 to_b;
    vec3 to_c;
    // The first point of the part that is looked through, and how many blocks along each side.
    ivec2 low;
    ivec2 blocks;
};
const int MOST_HALF = 1024;
// The square of the smallest sine between two edges of a face that is looked through.
const float FLAT = 1e-12;
// Points along the side of a block.
const int BLOCK = 8;

bool lattice_of(Corners t, out Lattice l)
{
    vec3 b = t.b - t.a, c = t.c - t.a, n = cross(b, c);
    // Of a triangle that is thinner than its corners are rounded, nothing is inside, and weights would not be numbers.
    if (!(dot(n, n) > FLAT * dot(b, b) * dot(c, c))) return false;
    l.t = t;
    l.u = normalize(b);
    vec3 up = normalize(n);
    l.w = cross(up, l.u);
    l.to_b = cross(c, n) / dot(b, cross(c, n));
    l.to_c = cross(b, n) / dot(c, cross(b, n));
    vec3 size = field_cells() * field.cell, middle_of_field = field_origin() + 0.5 * size - t.a;
    float radius = 0.5 * length(size) + query.distance, off = dot(middle_of_field, up);
    if (!(abs(off) <= radius)) return false;
    // What can come near lies in a circle, and the face in a rectangle.
    ivec2 centre = ivec2(round(dot(middle_of_field, l.u) / query.spacing), round(dot(middle_of_field, l.w) / query.spacing));
    int half_count = min(int(ceil(sqrt(radius * radius - off * off) / query.spacing)), MOST_HALF);
    vec2 tip = vec2(dot(c, l.u), dot(c, l.w)) / query.spacing, base = vec2(length(b) / query.spacing, 0.0);
    vec2 most = vec2(centre) + float(half_count), least = vec2(centre) - float(half_count);
    l.low = ivec2(max(floor(min(min(tip, base), vec2(0.0))), least));
    ivec2 high = ivec2(min(ceil(max(max(tip, base), vec2(0.0))), most));
    // The bounds hold also where a length is no number.
    l.blocks = clamp((high - l.low + BLOCK) / BLOCK, ivec2(0), ivec2(2 * MOST_HALF / BLOCK + 1));
    return true;
}

vec3 lattice_point(Lattice l, vec2 at) { return l.t.a + query.spacing * (at.x * l.u + at.y * l.w); }

// The first point of a block.
ivec2 corner_of(Lattice l, int block) { return l.low + BLOCK * ivec2(block % l.blocks.x, block / l.blocks.x); }

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
    vec3 weights = weights_of(l, lattice_point(l, best_at));
    return Found(ON_FACE, triangle, place, triangle, weights, weights, area, face_node(triangle), 0.0, vec3(0.0));
}

shared uint near_blocks[64];
shared uint near_count;

// All lanes, for one large face: first which blocks of its lattice can come near, then their points.
void list_large(uint triangle)
{
    Lattice l;
    bool has_lattice = lattice_of(placed_triangle(triangle), l);
    int blocks = has_lattice ? l.blocks.x * l.blocks.y : 0;
    float radius = 0.7072 * float(BLOCK) * query.spacing * 1.00001;
    for (int first = 0; first < blocks; first += 64) {
        if (gl_LocalInvocationID.x == 0) near_count = 0;
        barrier();
        int block = first + int(gl_LocalInvocationID.x);
        ivec2 corner = corner_of(l, block);
        vec3 middle_of_block = lattice_point(l, vec2(corner) + 0.5 * float(BLOCK - 1));
        bool near = block < blocks && may_meet_face(l, middle_of_block, radius) &&
                    value_of(middle_of_block) - field.error <= radius + query.distance + query.spacing;
        if (near) near_blocks[atomicAdd(near_count, 1)] = uint(block);
        barrier();
        uint count = near_count;
        for (uint k = 0; k < count; ++k) {
            int chosen = int(near_blocks[k]);
            int point = int(gl_LocalInvocationID.x);
            list(at_lattice(l, triangle, corner_of(l, chosen) + ivec2(point % BLOCK, point / BLOCK)));
        }
        barrier();
    }
}

void main()
{
    take_side();
    for (uint face = side_group; face < touching.large_faces; face += side_groups) list_large(work[large_face_at(face)]);
}
