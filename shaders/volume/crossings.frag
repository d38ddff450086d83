#version 460
// A crossing of the fragment's ray with the triangle, if there is one: straight into the ray's list, or to the layer that the
// stencil lets through. Partner: query/ldi/generators.rs.
//
// axis target: list=LIST layer
// axis fetch: storage
#extension GL_GOOGLE_include_directive : require

#include "triangle_corners.glsl"
#include "frame.glsl"
#include "crossing.glsl"
layout(std430, binding = 0) readonly buffer Placed { vec4 placed[]; };
layout(std430, binding = 2) buffer Summaries { Summary summary; };
#include "convert_push.glsl"
layout(location = 0) flat in uint triangle;
const uint FROM_OUTSIDE = 0x80000000u;
#ifdef LIST
#define HEADS 3
#define NODES 4
#include "rays.glsl"
#define COUNTS 5
#define DEPTHS 6
#define TAGS 7
#include "slots.glsl"
#include "add_crossing.glsl"
#else
layout(location = 0) out uvec2 crossing;
#endif

void main()
{
    uvec3 corners = triangle_corners(triangle);
    uvec2 pixel = uvec2(gl_FragCoord.xy);
    Cut cut;
    bool crosses = cut_row(placed[corners.x].xyz, placed[corners.y].xyz, placed[corners.z].xyz, float(pixel.y), cut)
                && cut.left.x <= float(pixel.x) && float(pixel.x) < cut.right.x;
    float depth = crosses ? depth_at(cut, float(pixel.x)) : 0.0;
    uint tag = triangle | (cut.enters ? FROM_OUTSIDE : 0);
#ifdef LIST
    uint width = summary.frame.width;
    if (crosses) add_crossing((push.mesh * summary.frame.height + pixel.y) * width + pixel.x, depth, tag);
#else
    if (!crosses) discard;
    crossing = uvec2(floatBitsToUint(depth), tag);
#endif
}
