#version 460
// Proximity, second and third: the field at the middle of each triangle, in the clusters that can hold the nearest point. First
// for the best upper bound; then, with all of them known, the triangles that can still hold a nearer point are settled if they are
// small, or listed to be split; fused, they are split at once and their parts listed. One kernel for both, so that both see the same
// bits. Partner: query/proximity/compute.rs.
//
// axis form: levels fused=FUSED
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 7
#include "field.glsl"
#include "meeting.glsl"
#include "proximity.glsl"

layout(std430, binding = 5) buffer Bounds { uvec2 bounds[]; };
layout(std430, binding = 6) writeonly buffer Pieces { Piece pieces[]; };

layout(push_constant) uniform TrianglesPush { uint listing; } push;

shared uint near[64];
shared uint near_count;

// Which of the 64 clusters that this workgroup has can hold the nearest point: then all lanes take one after the other, and none
// is spent on a cluster that cannot. The clusters of a workgroup lie far apart, because those that can lie together.
void gather(Meeting meeting, bool listing, uint best)
{
    if (gl_LocalInvocationID.x == 0) near_count = 0;
    barrier();
    uint c = gl_LocalInvocationID.x * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uvec2 own = bounds[min(c, meeting.clusters - 1)];
    bool can = c < meeting.clusters && own.x <= best && (!listing || own.y <= best);
    if (can) near[atomicAdd(near_count, 1)] = c;
    barrier();
}

uint settled;

#ifdef FUSED
#include "proximity_parts.glsl"
#include "split_listed.glsl"
#else
void list(uint triangle, uint lower, uint upper)
{
    uint slot = count_piece(0, lower);
    if (slot < query.capacity) pieces[slot] = Piece(triangle, 0, unordered(lower), unordered(upper));
}
#endif

void main()
{
    Meeting meeting = query.meeting;
    // The zero keeps lavapipe from compiling the kernel anew for each value that branches depend on.
    bool listing = push.listing + gl_WorkGroupID.z == 1;
    uint best = listing ? query.best : query.ceiling;
#ifdef FUSED
    if (gl_LocalInvocationID.x == 0) listed_count = 0;
#endif
    gather(meeting, listing, best);
    uint count = near_count, found = 0xffffffffu;
    settled = query.settled;
    for (uint k = 0; k < count; ++k) {
        uint c = near[k];
        float slack = placing_error(meeting, cluster_sphere(c));
        ClusterRange range = ranges[c];
        uint i = gl_LocalInvocationID.x;
        uint triangle = range.first_triangle + min(i, range.triangle_count - 1);
        Corners t = load_triangle(meeting, triangle);
        vec3 p = placed(meeting, middle(t));
        FieldSample s = sample_field(p);
        float radius = radius_of(t);
        uint upper = ordered(field_upper(s, p) + slack);
        // The corner that the clusters were sampled at.
        if (i == 0) upper = min(upper, ordered(field_upper(sample_field(placed(meeting, t.a)), placed(meeting, t.a)) + slack));
        uint lower = max(bounds[c].x, ordered(s.lower - slack - radius));
        if (!listing) {
            found = min(found, upper);
            // The one with the best upper bound counts whatever its lower one is, so that listing comes by here and finds it. Asked before,
            // because few have anything to say: an atomic is one lane after the other.
            if ((lower <= best || upper == found) && lower < bounds[c].y) atomicMin(bounds[c].y, lower);
        } else if (i < range.triangle_count) {
            if (upper == best) atomicMin(query.winner, triangle);
            bool small = is_small(p, radius, unordered(lower), unordered(upper));
            if (lower <= best && small) settled = min(settled, lower);
            if (lower <= best && !small) list(triangle, lower, upper);
        }
#ifdef FUSED
        if (listing) split_listed(meeting, best);
#endif
    }
    if (!listing && found < query.best) atomicMin(query.best, found);
    if (settled < query.settled) atomicMin(query.settled, settled);
}
