// The vertices of a mesh as the rays see them, at binding 0. With TWO there are those of two meshes, and a workgroup's z says of which;
// the including kernel names the second's binding. Partner: query/ldi.rs.
#include "fetch.glsl"

#ifdef TEXEL
layout(binding = 0) uniform samplerBuffer placed;
#ifdef TWO
layout(binding = PLACED_B) uniform samplerBuffer placed_b;
#endif
vec3 place(uint vertex)
{
#ifdef TWO
    if (gl_WorkGroupID.z == 1) return texelFetch(placed_b, int(vertex)).xyz;
#endif
    return texelFetch(placed, int(vertex)).xyz;
}
#else
layout(std430, binding = 0) readonly buffer Placed { vec4 placed[]; };
#ifdef TWO
layout(std430, binding = PLACED_B) readonly buffer PlacedB { vec4 placed_b[]; };
#endif
vec3 place(uint vertex)
{
#ifdef TWO
    if (gl_WorkGroupID.z == 1) return placed_b[vertex].xyz;
#endif
    return placed[vertex].xyz;
}
#endif
