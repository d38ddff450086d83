#version 460
// The least (variant near) or the greatest (variant far) depth in this pixel of all points within the radius of the triangle: FAR,
// lemma 2, for the device's centre of the pixel. Nothing drawn is as deep as the depth buffer is cleared to.
// Partner: fatten.glsl.
//
// axis side: near=NEAR far
#extension GL_GOOGLE_include_directive : require
#include "view_push.glsl"

layout(location = 0) flat in vec4 plane;
layout(location = 1) flat in vec2 span;

void main()
{
    vec2 at = gl_FragCoord.xy * view.scale_and_pixel.zw - 1.0 / view.scale_and_pixel.xy;
    float middle = dot(plane.xy, at) + plane.z;
#ifdef NEAR
    float z = max(span.x, middle - plane.w);
#else
    float z = min(span.y, middle + plane.w);
#endif
    gl_FragDepth = clamp(0.498 + 0.498 * view.depth * z, 0.0, 0.996);
}
