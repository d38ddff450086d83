#version 460
// Overlap, second: if a triangle is surely inside as a whole, it proves the overlap, and nothing else needs to be drawn.
// Partner: query/overlap.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 1) in;
#include "meeting.glsl"
#include "views.glsl"
#include "overlap.glsl"

layout(std430, binding = 4) buffer Query { OverlapQuery query; };
layout(std430, binding = 5) writeonly buffer Drawn { vec4 drawn[]; };

void main()
{
    if (query.inside == 0xffffffffu) return;
    Corners t = load_triangle(query.meeting, query.inside);
    drawn[0] = vec4(placed(query.meeting, t.a), placing_error(query.meeting, vec4(middle(t), radius_of(t))));
    drawn[1] = vec4(placed(query.meeting, t.b), 0.0);
    drawn[2] = vec4(placed(query.meeting, t.c), 0.0);
    query.vertices = 3;
}
