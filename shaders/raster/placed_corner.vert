#version 460
// A corner of a triangle in the field's frame; the geometry shader chooses its view. Partner: query/drawing.rs.
//
// axis coverage: grown=GROWN plain
#extension GL_GOOGLE_include_directive : require
#include "meeting.glsl"
#include "views.glsl"
#include "drawing.glsl"

layout(std430, binding = 4) readonly buffer State { Drawing drawing; };

layout(location = 0) out vec4 corner_slack;
#ifndef GROWN
#include "corner_velocity.glsl"
layout(location = 1) out vec3 corner_own_velocity;
#endif

void main()
{
    uint vertex = index_at(uint(gl_VertexIndex));
    vec3 p = load_position(vertex, drawing.meeting.first, drawing.meeting.stride);
    corner_slack = vec4(placed(drawing.meeting, p), placing_error(drawing.meeting, vec4(p, 0.0)));
#ifndef GROWN
    corner_own_velocity = corner_velocity(vertex);
#endif
}
