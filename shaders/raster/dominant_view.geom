#version 460
// All three views in one pass: each triangle goes to the view along the largest coordinate of its normal (Morvan et al. 2008,
// section 4.2). Partner: query/drawing.rs.
#extension GL_GOOGLE_include_directive : require
#include "meeting_params.glsl"
#include "ordered.glsl"
#include "views.glsl"
#include "drawing.glsl"

layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

layout(std430, binding = 4) readonly buffer State { Drawing drawing; };

layout(location = 0) in vec4 corner_slack[];
#ifndef GROWN
layout(location = 1) in vec3 corner_own_velocity[];
#endif

#include "seen_triangle.glsl"

void main()
{
    vec4 p = corner_slack[0], q = corner_slack[1], r = corner_slack[2];
    Side side = side_of(p.xyz, q.xyz, r.xyz);
    float slack = max(p.w, max(q.w, r.w));
    for (uint k = 0; k < 3; ++k) {
        show(p.xyz, q.xyz, r.xyz, slack, side, uint(gl_PrimitiveIDIn), k);
#ifndef GROWN
        own_velocity = corner_own_velocity[k];
#endif
        EmitVertex();
    }
    EndPrimitive();
}
