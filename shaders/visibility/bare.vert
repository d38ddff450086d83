#version 460
// The triangle itself, with the depths of its corners: CULLIDE before FAR. It misses collisions, and is here to show that.
// Partner: query/visibility.rs.
#extension GL_GOOGLE_include_directive : require
#include "positions.glsl"
#include "triangle_corners.glsl"
#include "view_push.glsl"

void main()
{
    uvec3 corners = triangle_corners(gl_VertexIndex / 3);
    vec3 p = load_position(corners[gl_VertexIndex % 3], view.first, view.stride);
    vec3 at = vec3(dot(vec3(view.rows[0], view.rows[1], view.rows[2]), p) + view.rows[3],
                   dot(vec3(view.rows[4], view.rows[5], view.rows[6]), p) + view.rows[7],
                   dot(vec3(view.rows[8], view.rows[9], view.rows[10]), p) + view.rows[11]);
    gl_Position = vec4(at.xy * view.scale_and_pixel.xy, 0.498 + 0.498 * view.depth * at.z, 1.0);
}
