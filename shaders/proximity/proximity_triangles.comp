#version 460
// Proximity, second and third: the field at the middle of each triangle, in the clusters that can hold the nearest point. First
// for the best upper bound; whoever finds a better one tells the others at once, which only spares work: the answer is the
// same in any order. Then, with all of them known, the triangles that can still hold a nearer point are settled if they are
// small, or listed to be split. One kernel for both, so that both see the same bits. Partner: query/proximity/compute.rs.
//
// variant texel_direction: TEXEL FIELD_DIRECTION
// variant texel_distance: TEXEL FIELD_DISTANCE
// variant texel_sparse: TEXEL FIELD_SPARSE
// variant storage_direction: FIELD_DIRECTION
// variant storage_distance: FIELD_DISTANCE
// variant storage_sparse: FIELD_SPARSE
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 7
#include "field.glsl"
#include "meeting.glsl"
#include "proximity.glsl"

layout(std430, binding = 5) buffer Bounds { uvec2 bounds[]; };
layout(std430, binding = 6) writeonly buffer Pieces { Piece pieces[]; };

layout(push_constant) uniform TrianglesPush { uint listing; } push;

void list(uint triangle, uint lower, uint upper)
{
    atomicMin(query.lowers[0], lower);
    uint slot = atomicAdd(query.counts[0], 1);
    if (slot < query.capacity) pieces[slot] = Piece(triangle, 0, unordered(lower), unordered(upper));
}

void main()
{
    uint run = (query.meeting.clusters + gl_NumWorkGroups.x - 1) / gl_NumWorkGroups.x;
    uint end = min((gl_WorkGroupID.x + 1) * run, query.meeting.clusters);
    bool listing = push.listing == 1;
    // The minimum with all ones is an atomic read.
    uint best = atomicMin(query.best, 0xffffffffu);
    for (uint c = gl_WorkGroupID.x * run; c < end; ++c) {
        uvec2 own = bounds[c];
        if (own.x > best || (listing && own.y > best)) continue;
        float slack = placing_error(query.meeting, cluster_sphere(c));
        ClusterRange range = ranges[c];
        uint lowest = 0xffffffffu;
        for (uint i = gl_LocalInvocationID.x; i < range.triangle_count; i += gl_WorkGroupSize.x) {
            uint triangle = range.first_triangle + i;
            Corners t = load_triangle(query.meeting, triangle);
            vec3 p = placed(query.meeting, middle(t));
            FieldSample s = sample_field(p);
            float radius = reach(t);
            uint upper = ordered(field_upper(s, p) + slack);
            uint lower = max(own.x, ordered(s.lower - slack - radius));
            if (!listing) {
                lowest = min(lowest, lower);
                best = min(best, upper);
                continue;
            }
            if (upper == best) atomicMin(query.winner, triangle);
            if (lower > best) continue;
            if (radius <= query.tolerance) atomicMin(query.settled, lower);
            else list(triangle, lower, upper);
        }
        if (!listing) {
            atomicMin(bounds[c].y, lowest);
            best = min(best, atomicMin(query.best, best));
        }
    }
}
