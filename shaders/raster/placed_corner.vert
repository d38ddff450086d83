#version 460
// A corner of a triangle in the field's frame; the geometry shader chooses its view. Partner: query/drawing.rs.
//
// variant texel: TEXEL
// variant storage:
#extension GL_GOOGLE_include_directive : require
#include "meeting.glsl"
#include "views.glsl"
#include "drawing.glsl"

layout(std430, binding = 4) readonly buffer State { Drawing drawing; };

layout(location = 0) out vec4 corner_slack;

void main()
{
    vec3 p = load_position(index_at(uint(gl_VertexIndex)), drawing.meeting.first, drawing.meeting.stride);
    corner_slack = vec4(placed(drawing.meeting, p), placing_error(drawing.meeting, vec4(p, 0.0)));
}
