#version 460
// Penalty by drawing, second: the triangles that can penetrate, by their dominant axes, their box, and what is certain of each cluster.
// Partner: query/penalty/raster.rs.
#extension GL_GOOGLE_include_directive : require
#define LANES 64
layout(local_size_x = LANES) in;
#define FIELD_BINDING 9
#include "field.glsl"
#include "meeting.glsl"
#include "penalty.glsl"
#include "views.glsl"
#include "drawing.glsl"
#include "bins.glsl"
#include "penalty_certain.glsl"

layout(std430, binding = 5) readonly buffer Touching { uint touching[]; };
layout(std430, binding = 6) buffer State { Drawing drawing; };
layout(std430, binding = 7) writeonly buffer Masks { uint masks[]; };
layout(std430, binding = 8) writeonly buffer Certain { PenaltyCertain certain[]; };

shared PenaltyCertain lanes_certain[LANES];

PenaltyCertain sum_of(PenaltyCertain a, PenaltyCertain b)
{
    return PenaltyCertain(b.deepest.w > a.deepest.w ? b.deepest : a.deepest, a.areas + b.areas, a.integrals + b.integrals,
                          max(a.depths, b.depths), vec2(0.0));
}

void sample_deepest(inout PenaltyCertain own, vec3 p, float slack)
{
    FieldSample s = sample_field(p);
    if (!s.in_domain) return;
    own.depths.y = max(own.depths.y, -s.upper - slack);
    if (-s.distance > own.deepest.w) own.deepest = vec4(p, -s.distance);
}

PenaltyCertain look_at(uint cluster)
{
    uint lane = gl_LocalInvocationID.x;
    ClusterRange range = ranges[cluster];
    PenaltyCertain own = nothing_certain();
    if (lane >= range.triangle_count) return own;
    Corners t = load_triangle(query.meeting, range.first_triangle + lane);
    float slack = placing_error(query.meeting, cluster_sphere(cluster));
    vec3 p = placed(query.meeting, middle(t));
    FieldSample s = sample_field(p);
    float near = radius_of(t) + slack;
    if (s.lower - near > 0.0) return own;
    vec3 a = placed(query.meeting, t.a), b = placed(query.meeting, t.b), c = placed(query.meeting, t.c);
    bin(lane, a, b, c);
    // Beyond the domain nothing penetrates: the surface lies within it.
    vec3 low = field_origin(), high = low + field_cells() * field.cell;
    grow_box(clamp(min(a, min(b, c)), low, high), clamp(max(a, max(b, c)), low, high));
    vec3 u = t.b - t.a, v = t.c - t.b, w = t.a - t.c;
    float area = 0.5 * length(cross(u, v));
    // The root of the mean square distance from the middle: no less than the mean distance.
    float spread = sqrt((dot(u, u) + dot(v, v) + dot(w, w)) / 36.0) * 1.000002 + slack;
    own.areas = vec2(s.upper + near < 0.0 ? area : 0.0, area);
    own.integrals = area * vec2(max(-s.upper - spread, 0.0), max(-s.lower, 0.0) + spread);
    own.depths.x = near - s.lower;
    sample_deepest(own, p, slack);
    sample_deepest(own, a, slack);
    sample_deepest(own, b, slack);
    sample_deepest(own, c, slack);
    return own;
}

void main()
{
    uint lane = gl_LocalInvocationID.x;
    uint run = (query.meeting.clusters + gl_NumWorkGroups.x - 1) / gl_NumWorkGroups.x;
    uint end = min((gl_WorkGroupID.x + 1) * run, query.meeting.clusters);
    start_box();
    for (uint c = gl_WorkGroupID.x * run; c < end; ++c) {
        start_bins();
        barrier();
        bool touches = touching[c] == 1;
        if (touches) lanes_certain[lane] = look_at(c);
        barrier();
        if (lane < MASKS) masks[MASKS * c + lane] = bin_masks[lane];
        for (uint half_width = LANES / 2; touches && half_width > 0; half_width /= 2) {
            if (lane < half_width) lanes_certain[lane] = sum_of(lanes_certain[lane], lanes_certain[lane + half_width]);
            barrier();
        }
        if (touches && lane == 0) certain[c] = lanes_certain[0];
    }
    barrier();
    if (lane < 3) atomicMin(drawing.views.low[lane], bin_box[lane]);
    else if (lane < 6) atomicMin(drawing.views.high[lane - 3], bin_box[lane]);
}
