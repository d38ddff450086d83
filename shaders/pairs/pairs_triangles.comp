#version 460
// Lists the pairs of triangles that may meet, each with its corners, for the host to decide. A workgroup takes pairs of clusters: triangles
// that touch the other cluster's box are gathered, and each of one meets each of the other, by boxes and then by directions that separate
// them. What single precision cannot tell apart is listed. The list's order is whatever it is. Partner: query/pairs/search.rs.
#extension GL_GOOGLE_include_directive : require
#define LANES 64
layout(local_size_x = LANES) in;
#include "clusters.glsl"
#include "pair_search.glsl"

layout(std430, binding = 0) buffer State { PairSearch state; };
layout(std430, binding = 1) readonly buffer BoundsA { ClusterBounds bounds_a[]; };
layout(std430, binding = 2) readonly buffer BoundsB { ClusterBounds bounds_b[]; };
layout(std430, binding = 3) readonly buffer Listed { uint listed[]; };
layout(std430, binding = 4) readonly buffer PositionsA { uint bits_a[]; };
layout(std430, binding = 5) readonly buffer PositionsB { uint bits_b[]; };
layout(std430, binding = 6) readonly buffer IndicesA { uint indices_a[]; };
layout(std430, binding = 7) readonly buffer IndicesB { uint indices_b[]; };
// A PairSearchHead, and the candidates.
layout(std430, binding = 8) writeonly buffer Found { uint found[]; };
#include "pair_placing.glsl"
#include "pair_axes.glsl"

// Words of the head and of a candidate: two triangles, by their places in the clusters' order, and three corners of each.
const uint HEAD = 4, CANDIDATE = 20;

// Of each mesh the triangles that touch the other cluster: their corners in the frame of the first mesh.
shared Corners corners_a[LANES];
shared Corners corners_b[LANES];
shared uint triangles_a[LANES];
shared uint triangles_b[LANES];
// How far corners of the second mesh can be off.
shared float off[LANES];
shared uint count_a;
shared uint count_b;

vec3 vec(float v[3]) { return vec3(v[0], v[1], v[2]); }

uvec3 bits_of_a(uint corner)
{
    uint at = state.first_a + indices_a[corner] * state.stride_a;
    return uvec3(bits_a[at], bits_a[at + 1], bits_a[at + 2]);
}

uvec3 bits_of_b(uint corner)
{
    uint at = state.first_b + indices_b[corner] * state.stride_b;
    return uvec3(bits_b[at], bits_b[at + 1], bits_b[at + 2]);
}

vec3 position_a(uint corner) { return uintBitsToFloat(bits_of_a(corner)); }
vec3 position_b(uint corner) { return uintBitsToFloat(bits_of_b(corner)); }
Corners load_a(uint t) { return Corners(position_a(3 * t), position_a(3 * t + 1), position_a(3 * t + 2)); }
Corners load_b(uint t) { return Corners(position_b(3 * t), position_b(3 * t + 1), position_b(3 * t + 2)); }

// Around what is near what is in a box, where that may be off by `error`.
Box widened(Box box, float error)
{
    float wider = error + state.within;
    return Box(box.low - wider, box.high + wider);
}

Box box_of(Corners t) { return Box(min(t.a, min(t.b, t.c)), max(t.a, max(t.b, t.c))); }

float placed(uint r, vec3 p)
{
    vec4 row = row_of(r);
    vec3 m = row.xyz * p;
    return m.x + m.y + m.z + row.w;
}

vec3 placed(vec3 p) { return vec3(placed(0, p), placed(1, p), placed(2, p)); }

// How far a corner of what is in this box can be from its place.
float placing_error(Box unplaced)
{
    vec3 most = max(abs(unplaced.low), abs(unplaced.high));
    return max(placing_error(row_of(0), most), max(placing_error(row_of(1), most), placing_error(row_of(2), most)));
}

void write_corner(uint at, uvec3 bits)
{
    found[at] = bits.x;
    found[at + 1] = bits.y;
    found[at + 2] = bits.z;
}

// As they are, also what is too small for arithmetic here.
void write(uint ta, uint tb)
{
    uint at = atomicAdd(state.candidates, 1);
    if (at >= state.room) return;
    at = HEAD + CANDIDATE * at;
    found[at] = ta;
    found[at + 1] = tb;
    write_corner(at + 2, bits_of_a(3 * ta));
    write_corner(at + 5, bits_of_a(3 * ta + 1));
    write_corner(at + 8, bits_of_a(3 * ta + 2));
    write_corner(at + 11, bits_of_b(3 * tb));
    write_corner(at + 14, bits_of_b(3 * tb + 1));
    write_corner(at + 17, bits_of_b(3 * tb + 2));
}

void look_at(uint a, uint b)
{
    uint lane = gl_LocalInvocationID.x;
    if (lane == 0) count_a = count_b = 0;
    barrier();
    if (lane < bounds_a[a].count) {
        uint t = bounds_a[a].first + lane;
        Corners corners = load_a(t);
        if (touch(box_of(corners), placed_box(vec(bounds_b[b].min), vec(bounds_b[b].max)))) {
            uint at = atomicAdd(count_a, 1);
            triangles_a[at] = t;
            corners_a[at] = corners;
        }
    }
    if (lane < bounds_b[b].count) {
        uint t = bounds_b[b].first + lane;
        Corners corners = load_b(t);
        float error = placing_error(box_of(corners));
        corners = Corners(placed(corners.a), placed(corners.b), placed(corners.c));
        Box box = box_of(corners);
        if (touch(Box(vec(bounds_a[a].min), vec(bounds_a[a].max)), widened(box, error))) {
            uint at = atomicAdd(count_b, 1);
            triangles_b[at] = t;
            corners_b[at] = corners;
            off[at] = error;
        }
    }
    barrier();
    uint pairs = count_a * count_b;
    for (uint pair = lane; pair < pairs; pair += LANES) {
        uint i = pair / count_b, j = pair % count_b;
        Corners s = corners_a[i], t = corners_b[j];
        Box box = box_of(t);
        if (!touch(box_of(s), widened(box, off[j]))) continue;
        if (are_apart(s, t, off[j], state.within)) continue;
        write(triangles_a[i], triangles_b[j]);
    }
    barrier();
}

void main()
{
    uint end = min(state.cluster_pairs, state.cluster_room);
    for (uint pair = gl_WorkGroupID.x; pair < end; pair += gl_NumWorkGroups.x) look_at(listed[2 * pair], listed[2 * pair + 1]);
}
