#version 460
// Overlap, last: fragments whose part of the triangle may touch the field's body, or whose sample surely does. Who is left is counted
// by an occlusion query (Morvan et al. 2008, section 6). Partner: query/overlap.rs.
//
// axis verdict: possible certain=CERTAIN
#extension GL_GOOGLE_include_directive : require
#define FIELD_BINDING 6
#include "field.glsl"
#include "ordered.glsl"
#include "views.glsl"
#include "footprint.glsl"

layout(location = 0) flat in vec4 a_slack;
layout(location = 1) flat in vec3 b;
layout(location = 2) flat in vec3 c;
layout(location = 3) flat in uvec2 axis_thin;
layout(location = 4) flat in vec4 view_pixel;

void main()
{
    vec2 centre = view_pixel.xy + gl_FragCoord.xy * view_pixel.w;
    Footprint f = footprint_of(a_slack.xyz, b, c, axis_thin.y == 1, centre, view_pixel.w);
    if (!f.touches) discard;
    FieldSample s = sample_field(unseen(f.point, axis_thin.x));
#ifdef CERTAIN
    if (s.upper + a_slack.w > 0.0) discard;
#else
    if (s.lower - a_slack.w - f.radius > 0.0) discard;
#endif
}
