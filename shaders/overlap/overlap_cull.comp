#version 460
// Overlap, first: the triangles that can touch the field's body, and their box. A workgroup takes a run of clusters: first
// which of them can touch, then their triangles. The list's order is whatever it is: only counts come of it.
// Partner: query/overlap.rs.
#extension GL_GOOGLE_include_directive : require
#define LANES 64
layout(local_size_x = LANES) in;
#define FIELD_BINDING 6
#include "field.glsl"
#include "meeting.glsl"
#include "views.glsl"
#include "overlap.glsl"

layout(std430, binding = 4) buffer Query { OverlapQuery query; };
// Three corners each, in the field's frame; with the first how far they can be off.
layout(std430, binding = 5) writeonly buffer Drawn { vec4 drawn[]; };

shared uint touching[LANES];
shared uint touching_count;
shared uint box[6];

void list(vec3 a, vec3 b, vec3 c, float slack)
{
    uint at = atomicAdd(query.vertices, 3);
    drawn[at] = vec4(a, slack);
    drawn[at + 1] = vec4(b, 0.0);
    drawn[at + 2] = vec4(c, 0.0);
    // Beyond the domain nothing touches: the surface lies within it.
    vec3 low = field_origin(), high = low + field_cells() * field.cell;
    vec3 least = clamp(min(a, min(b, c)), low, high), most = clamp(max(a, max(b, c)), low, high);
    for (uint i = 0; i < 3; ++i) {
        atomicMin(box[i], ordered(least[i]));
        atomicMin(box[3 + i], ~ordered(most[i]));
    }
}

void look_at(uint cluster)
{
    float slack = placing_error(query.meeting, cluster_sphere(cluster));
    ClusterRange range = ranges[cluster];
    for (uint i = gl_LocalInvocationID.x; i < range.triangle_count; i += LANES) {
        Corners t = load_triangle(query.meeting, range.first_triangle + i);
        FieldSample s = sample_field(placed(query.meeting, middle(t)));
        float around = radius_of(t) + slack;
        if (s.lower - around > 0.0) continue;
        if (s.upper + around <= 0.0) atomicMin(query.inside, range.first_triangle + i);
        list(placed(query.meeting, t.a), placed(query.meeting, t.b), placed(query.meeting, t.c), slack);
    }
}

void main()
{
    uint lane = gl_LocalInvocationID.x;
    uint run = (query.meeting.clusters + gl_NumWorkGroups.x - 1) / gl_NumWorkGroups.x;
    uint end = min((gl_WorkGroupID.x + 1) * run, query.meeting.clusters);
    if (lane < 6) box[lane] = 0xffffffffu;
    for (uint first = gl_WorkGroupID.x * run; first < end; first += LANES) {
        if (lane == 0) touching_count = 0;
        barrier();
        uint c = first + lane;
        if (c < end) {
            vec4 sphere = cluster_sphere(c);
            float lower = sample_field(placed(query.meeting, sphere.xyz)).lower;
            if (lower <= sphere.w + placing_error(query.meeting, sphere)) touching[atomicAdd(touching_count, 1)] = c;
        }
        barrier();
        for (uint i = 0; i < touching_count; ++i) look_at(touching[i]);
        barrier();
    }
    barrier();
    if (lane < 3) atomicMin(query.views.low[lane], box[lane]);
    else if (lane < 6) atomicMin(query.views.high[lane - 3], box[lane]);
}
