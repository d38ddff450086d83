#version 460
// Penalty, second: a workgroup sums the forces on a cluster, or a share of them where clusters are few (Morvan et al. 2008, section 3.4). A triangle is cut into equal
// ones with edges below the spacing; each is sampled at its middle and weighted by its area, so nothing is too small to be seen and
// the force changes with the pose as smoothly as the field does. One that lies on one side of the surface has no edge of the contact to find,
// and is cut no finer than the field can tell apart. Triangles, and patches of large ones, that cannot penetrate are left
// out, by the same bound as clusters. Partner: query/penalty/compute.rs.
//
// With BOUNDED_SUMS it is also found what force and torque can be off by, which falls with the spacing: then all is cut as finely as asked for.
//
// axis springs: summed bounded=BOUNDED_SUMS
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif
#define LANES 64
#define WORKGROUP_SUMS
#define FIELD_BINDING 8
#include "field.glsl"
#include "meeting.glsl"
#include "penalty.glsl"
#include "penalty_force.glsl"
#ifdef BOUNDED_SUMS
#include "penalty_errors.glsl"
#endif
#include "workgroup.glsl"

layout(std430, binding = 5) readonly buffer Touching { uint touching[]; };
layout(std430, binding = 6) writeonly buffer Sums { PenaltySum sums[]; };
layout(std430, binding = 7) readonly buffer Velocities { float velocities[]; };

// Triangles of a cluster: partner geometry/hierarchy/clusters.rs, CAPACITY.
#define CAPACITY 64
// Cells along the edge of a triangle that one lane samples; those with more are cut into patches that the lanes share.
#ifdef BOUNDED_SUMS
#define MOST_CELLS 8
#else
#define MOST_CELLS 16
#endif
// Cells along the edge of a patch.
#define PATCH 8
// Samples of large triangles that an invocation may take; beyond, they are farther apart than the spacing. Some drivers end loops
// after 65,535 turns in all.
#ifdef BOUNDED_SUMS
#define MOST_TURNS (50000.0 / float(1 + WAY_TURNS))
#else
#define MOST_TURNS 30000.0
#endif

PenaltySum sum;

vec3 velocity_of(uint vertex)
{
    return vec3(velocities[3 * vertex], velocities[3 * vertex + 1], velocities[3 * vertex + 2]);
}

// The velocities of a triangle's corners beyond those of its body, in the mesh's frame.
Corners corner_velocities(uint t)
{
    // The term that is zero keeps lavapipe from compiling the kernel anew for each query's uniforms.
    if (query.has_velocities + gl_WorkGroupID.z == 0) return Corners(vec3(0.0), vec3(0.0), vec3(0.0));
    uvec3 v = triangle_corners(t);
    return Corners(velocity_of(v.x), velocity_of(v.y), velocity_of(v.z));
}

// Adds the force of a sample inside; `area` is what it stands for.
void add_force(FieldSample s, vec3 p, float area, vec3 extra)
{
    float depth = -s.distance;
    vec3 q = p + depth * s.direction;
    vec3 force = area * force_at(p, q, s.direction, depth, extra);
    sum.force_area += vec4(force, area);
    sum.torque_pressure += vec4(cross(q - query.centre.xyz, force), area * depth);
    sum.centroid_error.xyz += area * q;
    sum.samples += 1;
    if (depth > sum.deepest.w) sum.deepest = vec4(p, depth);
}

// Gives the field's sample, and whether anything of the cell may be inside.
bool add_sample(vec3 p, float area, float cell_radius, float spread, float slack, vec3 extra, out FieldSample s)
{
    s = sample_field(p);
    float near = slack + cell_radius;
    if (s.lower - near <= 0.0) {
        sum.outer_area += area;
        sum.inner_area += s.upper + near < 0.0 ? area : 0.0;
        sum.depth_upper = max(sum.depth_upper, near - s.lower);
        sum.depth_lower = max(sum.depth_lower, -s.upper - slack);
        sum.centroid_error.w += area * (spread + slack + max(s.distance - s.lower, s.upper - s.distance));
        if (s.distance < 0.0 && s.in_domain) add_force(s, p, area, extra);
        return true;
    }
    return false;
}

// Samples the cells of a patch of a triangle: `cells` along each edge of the patch.
void add_patch(Corners t, Corners v, uint cells, float slack)
{
    float inverse = 1.0 / float(cells);
    vec3 u = (t.b - t.a) * inverse, w = (t.c - t.b) * inverse;
    float area = 0.5 * length(cross(u, w));
    float size = radius_of(t) * inverse;
    // The root of the mean square distance from the middle: no less than the mean distance.
    float spread = sqrt((dot(u, u) + dot(w, w) + dot(u + w, u + w)) / 36.0) * 1.000002;
#ifdef BOUNDED_SUMS
    vec3 side = turned(u), next = turned(w);
    vec3 first = (2.0 * side + next) * (-1.0 / 3.0), last = (side + 2.0 * next) * (1.0 / 3.0);
    float sides = length(u) + length(w);
    float area_error = 2.0 * slack * sides + 1e-6 * sides * sides;
#endif
    for (uint row = 0; row < cells; ++row)
        for (uint i = 0; i <= 2 * row; ++i) {
            // Cells that point as the triangle have their middle a third of the way, the others two thirds.
            float third = (i & 1u) == 0u ? 1.0 / 3.0 : 2.0 / 3.0;
            float down = (float(row) + 1.0 - third) * inverse;
            float along = (float(i >> 1) + third) * inverse;
            vec3 p = t.a + down * (t.b - t.a) + along * (t.c - t.b);
            vec3 extra = v.a + down * (v.b - v.a) + along * (v.c - v.b);
            p = placed(query.meeting, p);
            FieldSample s;
            bool counts = add_sample(p, area, size, spread, slack, turned(extra), s);
#ifdef BOUNDED_SUMS
            if (!counts) continue;
            float way = (i & 1u) == 0u ? 1.0 : -1.0;
            Cell cell = Cell(area, size, spread, vec3[3](way * first, -way * (first + last), way * last), area_error);
            float depth = s.distance < 0.0 && s.in_domain ? -s.distance : 0.0;
            sum.errors.xyz += errors_of(p, s, cell, depth, slack);
#endif
        }
}

// One of `count` * `count` equal parts of a triangle, row by row from corner a.
Corners cut(Corners t, uint part, uint count)
{
    uint row = uint(sqrt(float(part)));
    if (row * row > part) --row;
    if ((row + 1) * (row + 1) <= part) ++row;
    uint along = part - row * row;
    vec3 u = (t.b - t.a) / float(count), w = (t.c - t.b) / float(count);
    vec3 corner = t.a + float(row) * u + float(along >> 1) * w;
    if ((along & 1u) == 0u) return Corners(corner, corner + u, corner + u + w);
    return Corners(corner + u + w, corner + w, corner);
}

// Cells along an edge that bring the longest below the spacing.
float cells_along(Corners t) { return ceil(longest_edge(t) / query.spacing); }

// As many of the `wanted` cells along an edge as are needed: none where the triangle cannot penetrate. Off the surface the field is as good
// as linear over half a cell of its own, so that the middle stands for all of it.
uint cells_needed(Corners t, float wanted, float slack)
{
    FieldSample s = sample_field(placed(query.meeting, middle(t)));
    float near = radius_of(t);
    if (s.lower > near + slack) return 0;
#ifndef BOUNDED_SUMS
    if (abs(s.distance) > near) wanted = min(wanted, ceil(longest_edge(t) / (0.5 * field.cell)));
#endif
    return uint(max(wanted, 1.0));
}

// This lane among all that share the cluster, and how many they are.
uint share() { return gl_WorkGroupID.y * lanes() + lane(); }
uint shares() { return gl_NumWorkGroups.y * lanes(); }

// All shares take patches of a large triangle, at most `most` along its edge.
void add_large(uint triangle, float most, float slack)
{
    Corners t = load_triangle(query.meeting, triangle), v = corner_velocities(triangle);
    float wanted = cells_along(t), count = ceil(wanted / float(PATCH));
    if (count > most) {
        count = most;
        sum.coarsened = 1;
    }
    uint cells = uint(clamp(ceil(wanted / count), 1.0, float(PATCH)));
    for (uint part = share(); part < uint(count * count); part += shares()) {
        Corners piece = cut(t, part, uint(count));
        uint needed = cells_needed(piece, float(cells), slack);
        if (needed != 0) add_patch(piece, cut(v, part, uint(count)), needed, slack);
    }
}

// For each triangle of the cluster the cells along its edge: none where it cannot penetrate or is another share's, LARGE where all share it.
// A bit for each triangle with so many cells; how many triangles have more; and the triangles, those with most cells first, so that
// lanes that work side by side have as much to do.
#define LARGE (MOST_CELLS + 1)
shared uint cells_of[CAPACITY];
shared uint members[2 * (LARGE + 1)];
shared uint starts[LARGE + 1];
shared uint ranked[CAPACITY];

void measure(ClusterRange range, float slack)
{
    for (uint i = lane(); i < range.triangle_count; i += lanes()) {
        Corners t = load_triangle(query.meeting, range.first_triangle + i);
        float wanted = max(cells_along(t), 1.0);
        uint cells = 0;
        if (wanted > float(MOST_CELLS)) cells = LARGE;
        else if (i % gl_NumWorkGroups.y == gl_WorkGroupID.y) cells = wanted == 1.0 ? 1 : cells_needed(t, wanted, slack);
        cells_of[i] = cells;
        atomicOr(members[2 * cells + i / 32], 1u << (i % 32));
    }
}

void rank(uint count)
{
    for (uint i = lane(); i <= LARGE; i += lanes()) {
        uint more = 0;
        for (uint j = 2 * i + 2; j < 2 * (LARGE + 1); ++j) more += bitCount(members[j]);
        starts[i] = more;
    }
    workgroup_sync();
    for (uint i = lane(); i < count; i += lanes()) {
        uint cells = cells_of[i], word = 2 * cells + i / 32;
        uint before = bitCount(members[word] & ((1u << (i % 32)) - 1u)) + (i < 32 ? 0 : bitCount(members[word - 1]));
        ranked[starts[cells] + before] = i;
    }
}

// Adds a cluster, with at most so many samples in an invocation beside those of small triangles.
void add_cluster(uint c, float turns)
{
    float slack = placing_error(query.meeting, cluster_sphere(c));
    ClusterRange range = ranges[c];
    for (uint i = lane(); i < 2 * (LARGE + 1); i += lanes()) members[i] = 0;
    workgroup_sync();
    measure(range, slack);
    workgroup_sync();
    rank(range.triangle_count);
    workgroup_sync();
    uint larges = starts[MOST_CELLS];
    for (uint i = larges + lane(); i < starts[0]; i += lanes()) {
        uint triangle = range.first_triangle + ranked[i];
        add_patch(load_triangle(query.meeting, triangle), corner_velocities(triangle), cells_of[ranked[i]], slack);
    }
    if (larges == 0) return;
    // Enough even if all patches penetrate.
    float most = max(floor(sqrt(turns * float(shares()) / (float(larges) * float(PATCH * PATCH + 1)))), 1.0);
    for (uint i = 0; i < larges; ++i) add_large(range.first_triangle + ranked[i], most, slack);
}

#include "penalty_reduce.glsl"

// No lane has a cluster left.
const float NOBODY = 1e9;

void main()
{
    // All lanes take the clusters that touch, one after the other, so that none is spent on one that does not. Those of a workgroup lie
    // far apart, because those that touch lie together.
    for (uint base = 0; base * gl_NumWorkGroups.x < query.meeting.clusters; base += lanes()) {
        uint tested = (base + lane()) * gl_NumWorkGroups.x + gl_WorkGroupID.x;
        bool waits = tested < query.meeting.clusters && touching[min(tested, query.meeting.clusters - 1)] != 0;
        float turns = MOST_TURNS / max(workgroup_add(vec4(waits)).x, 1.0);
        for (float next = workgroup_min(waits ? float(lane()) : NOBODY); next != NOBODY;
             next = workgroup_min(waits ? float(lane()) : NOBODY)) {
            uint c = (base + uint(next)) * gl_NumWorkGroups.x + gl_WorkGroupID.x;
            sum = nothing();
            add_cluster(c, turns);
#ifdef BOUNDED_SUMS
            // What floats lose of this lane's sums.
            sum.errors.xyz += 6.1e-8 * float(sum.samples) * sum.torque_pressure.w * vec3(1.0, query.centre.w, query.mesh_centre.w);
#endif
            sum = reduced(sum);
            if (lane() == 0) sums[c * gl_NumWorkGroups.y + gl_WorkGroupID.y] = sum;
            if (float(lane()) == next) waits = false;
        }
    }
}
