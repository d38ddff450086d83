#version 460
// Proximity by drawing, third: the triangles that can still hold a nearer point than the best that is known, by their dominant axes,
// and their box. Partner: query/proximity/raster.rs.
#extension GL_GOOGLE_include_directive : require
#define GROWN
layout(local_size_x = 64) in;
#define FIELD_BINDING 8
#include "field.glsl"
#include "meeting.glsl"
#include "proximity.glsl"
#include "views.glsl"
#include "drawing.glsl"
#include "bins.glsl"

layout(std430, binding = 5) readonly buffer Bounds { uvec2 bounds[]; };
layout(std430, binding = 6) buffer State { Drawing drawing; };
layout(std430, binding = 7) writeonly buffer Masks { uint masks[]; };

void look_at(uint cluster, uint best)
{
    uint lane = gl_LocalInvocationID.x;
    ClusterRange range = ranges[cluster];
    if (lane >= range.triangle_count) return;
    Corners t = load_triangle(query.meeting, range.first_triangle + lane);
    float slack = placing_error(query.meeting, cluster_sphere(cluster));
    FieldSample s = sample_field(placed(query.meeting, middle(t)));
    if (ordered(s.lower - slack - radius_of(t)) > best) return;
    vec3 a = placed(query.meeting, t.a), b = placed(query.meeting, t.b), c = placed(query.meeting, t.c);
    bin(lane, a, b, c);
    grow_box(min(a, min(b, c)), max(a, max(b, c)));
}

void main()
{
    uint lane = gl_LocalInvocationID.x;
    uint run = (query.meeting.clusters + gl_NumWorkGroups.x - 1) / gl_NumWorkGroups.x;
    uint end = min((gl_WorkGroupID.x + 1) * run, query.meeting.clusters);
    uint best = query.best;
    start_box();
    for (uint c = gl_WorkGroupID.x * run; c < end; ++c) {
        start_bins();
        barrier();
        uvec2 own = bounds[c];
        if (own.x <= best && own.y <= best) look_at(c, best);
        barrier();
        if (lane < MASKS) masks[MASKS * c + lane] = bin_masks[lane];
    }
    barrier();
    if (lane < 3) atomicMin(drawing.views.low[lane], bin_box[lane]);
    else if (lane < 6) atomicMin(drawing.views.high[lane - 3], bin_box[lane]);
    // Nothing above the best is of interest.
    if (gl_GlobalInvocationID.x == 0) {
        float most = unordered(best);
        drawing.most = most + 1e-6 * (abs(most) + abs(drawing.least));
    }
}
