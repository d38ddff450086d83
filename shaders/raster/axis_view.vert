#version 460
// A triangle in the view along one axis, if that is its dominant one (Morvan et al. 2008, section 3.2 and figure 3). A vertex
// is numbered 3 * triangle + corner. Partner: query/drawing.rs.
#extension GL_GOOGLE_include_directive : require
#include "meeting.glsl"
#include "views.glsl"
#include "drawing.glsl"

layout(std430, binding = 4) readonly buffer State { Drawing drawing; };

layout(push_constant) uniform AxisPush { uint axis; } push;

#include "seen_triangle.glsl"
#ifndef GROWN
#include "corner_velocity.glsl"
#endif

void main()
{
    uint triangle = uint(gl_VertexIndex) / 3;
    Corners t = load_triangle(drawing.meeting, triangle);
    vec3 p = placed(drawing.meeting, t.a), q = placed(drawing.meeting, t.b), r = placed(drawing.meeting, t.c);
    Side side = side_of(p, q, r);
    float slack = placing_error(drawing.meeting, vec4(middle(t), radius_of(t)));
    show(p, q, r, slack, side, triangle, uint(gl_VertexIndex) % 3);
#ifndef GROWN
    own_velocity = corner_velocity(index_at(uint(gl_VertexIndex)));
#endif
    // All corners of a triangle that another view shows are in one place, and outside.
    if (side.axis != push.axis) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
