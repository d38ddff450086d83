#version 460
// Proximity by depth buffering (Morvan et al. 2008, section 3.3): the depth of a fragment is what the field is worth there
// (equation 3), so that each pixel keeps the least. Here it is the lower bound over all of the triangle within the pixel, so that
// the least of all pixels is one for the whole mesh. Partner: query/proximity/raster.rs.
#extension GL_GOOGLE_include_directive : require
#define FIELD_BINDING 5
#include "field.glsl"
#include "meeting_params.glsl"
#include "ordered.glsl"
#include "views.glsl"
#include "footprint.glsl"
#include "drawing.glsl"

layout(std430, binding = 4) readonly buffer State { Drawing drawing; };

layout(location = 0) flat in vec4 a_slack;
layout(location = 1) flat in vec3 b;
layout(location = 2) flat in vec3 c;
layout(location = 3) flat in uvec3 axis_thin_triangle;
layout(location = 4) flat in vec4 view_pixel;

// Where it is, in the field's frame, with its depth mirrored unrounded; and what it is of.
layout(location = 0) out vec4 point_lower;
layout(location = 1) out uint triangle;

void main()
{
    vec2 centre = view_pixel.xy + gl_FragCoord.xy * view_pixel.w;
    Footprint f = footprint_of(a_slack.xyz, b, c, axis_thin_triangle.y == 1, centre, view_pixel.w);
    if (!f.touches) discard;
    vec3 p = unseen(f.point, axis_thin_triangle.x);
    float lower = sample_field(p).lower - a_slack.w - f.radius;
    point_lower = vec4(p, lower);
    triangle = axis_thin_triangle.z;
    gl_FragDepth = clamp((lower - drawing.least) / (drawing.most - drawing.least), 0.0, 1.0);
}
