#version 460
// Penalty by blending (Morvan et al. 2008, section 3.4): the force of a penetrating fragment, weighted by the area that it stands for,
// is added to its pixel. Partner: query/penalty/raster.rs.
#extension GL_GOOGLE_include_directive : require
// Depth is only tested, never written: what cannot penetrate is dropped before it costs anything (section 4.1).
layout(early_fragment_tests) in;
#define QUERY_BINDING 6
#define FIELD_BINDING 7
#include "field.glsl"
#include "meeting_params.glsl"
#include "ordered.glsl"
#include "views.glsl"
#include "penalty.glsl"
#include "penalty_force.glsl"

layout(location = 0) flat in vec4 a_slack;
layout(location = 1) flat in vec3 b;
layout(location = 2) flat in vec3 c;
layout(location = 3) flat in uvec3 axis_thin_triangle;
layout(location = 4) flat in vec4 view_pixel;
layout(location = 5) in vec3 own_velocity;

layout(location = 0) out vec4 force_area;
layout(location = 1) out vec4 torque_depth;
layout(location = 2) out vec4 centroid_count;

void main()
{
    vec3 a = a_slack.xyz;
    vec3 normal = cross(b - a, c - a);
    vec2 step = view_pixel.xy + gl_FragCoord.xy * view_pixel.w - a.xy;
    vec3 p = unseen(a + vec3(step, -dot(normal.xy, step) / normal.z), axis_thin_triangle.x);
    FieldSample s = sample_field(p);
    float depth = -s.distance;
    if (depth <= 0.0 || !s.in_domain) discard;
    // Equation 8.
    float area = view_pixel.w * view_pixel.w * length(normal) / abs(normal.z);
    vec3 q = p + depth * s.direction;
    vec3 force = area * force_at(p, q, s.direction, depth, own_velocity);
    force_area = vec4(force, area);
    torque_depth = vec4(cross(q - query.centre.xyz, force), area * depth);
    centroid_count = vec4(area * q, 1.0);
}
