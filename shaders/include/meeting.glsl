// A mesh N seen from the frame of a field M: spheres of clusters, triangles, and what placing them in f32 is off by. After
// field.glsl, where the field is sampled. Bindings 0 to 3 are the mesh's. Partner: query/meeting.rs.
//
// group meeting
#include "positions.glsl"
#include "triangle_corners.glsl"
#include "clusters.glsl"
#include "ordered.glsl"

#ifdef TEXEL
layout(binding = 2) uniform samplerBuffer clusters;
vec4 cluster_sphere(uint cluster) { return texelFetch(clusters, int(3 * cluster)); }
#else
layout(std430, binding = 2) readonly buffer Clusters { ClusterBounds clusters[]; };
vec4 cluster_sphere(uint cluster)
{
    ClusterBounds b = clusters[cluster];
    return vec4(b.center[0], b.center[1], b.center[2], b.radius);
}
#endif
layout(std430, binding = 3) readonly buffer Ranges { ClusterRange ranges[]; };

#include "meeting_params.glsl"

// Where a point of the mesh is in the field's frame.
vec3 placed(Meeting meeting, vec3 p)
{
    return vec3(dot(meeting.rows[0].xyz, p) + meeting.rows[0].w, dot(meeting.rows[1].xyz, p) + meeting.rows[1].w,
                dot(meeting.rows[2].xyz, p) + meeting.rows[2].w);
}

// How far a placed point of a cluster can be from its exact place. A coordinate is a sum of four products of rounded
// factors: off by at most 5/2 units of |p| + |shift|; then the point itself, a mean of corners, by 3 of |p|. Times sqrt(3).
float placing_error(Meeting meeting, vec4 sphere) { return 1.2e-6 * (length(sphere.xyz) + sphere.w + meeting.shift); }

struct Corners {
    vec3 a;
    vec3 b;
    vec3 c;
};

Corners load_triangle(Meeting meeting, uint t)
{
    uvec3 v = triangle_corners(t);
    return Corners(load_position(v.x, meeting.first, meeting.stride), load_position(v.y, meeting.first, meeting.stride),
                   load_position(v.z, meeting.first, meeting.stride));
}

vec3 middle(Corners t) { return (t.a + t.b + t.c) * (1.0 / 3.0); }

// The radius of a triangle around its middle, rounded up.
float radius_of(Corners t)
{
    vec3 m = middle(t), a = t.a - m, b = t.b - m, c = t.c - m;
    return sqrt(max(dot(a, a), max(dot(b, b), dot(c, c)))) * 1.000002;
}

float longest_edge(Corners t)
{
    vec3 u = t.b - t.a, v = t.c - t.b, w = t.a - t.c;
    return sqrt(max(dot(u, u), max(dot(v, v), dot(w, w))));
}

#ifdef FIELD_BINDING
// The surface lies in the domain, so it is nowhere farther than across it: an upper bound where the field has none.
float field_upper(FieldSample s, vec3 p)
{
    vec3 size = field_cells() * field.cell;
    return min(s.upper, length(size) * 1.00001 + length(p - field_origin() - field_clamp(p) * field.cell));
}
#endif
