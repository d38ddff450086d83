// Vertex positions: Proxel's own, four floats each, through a texel view where the device can hold it (software devices
// read texels several times faster than storage); otherwise floats in a storage buffer, with any stride for the engine's.
// With TWO there are those of two meshes, and a workgroup's z says of which. Partner: scene/mesh.rs, PositionBinding.
#include "fetch.glsl"

#ifdef TEXEL
layout(binding = 0) uniform samplerBuffer positions;
#ifdef TWO
layout(binding = POSITIONS_B) uniform samplerBuffer positions_b;
#endif
vec3 load_position(uint vertex, uint first, uint stride)
{
#ifdef TWO
    if (gl_WorkGroupID.z == 1) return texelFetch(positions_b, int(vertex)).xyz;
#endif
    return texelFetch(positions, int(vertex)).xyz;
}
#else
layout(std430, binding = 0) readonly buffer Positions { float position_floats[]; };
#ifdef TWO
layout(std430, binding = POSITIONS_B) readonly buffer PositionsB { float position_floats_b[]; };
#endif
vec3 load_position(uint vertex, uint first, uint stride)
{
    uint at = first + vertex * stride;
#ifdef TWO
    if (gl_WorkGroupID.z == 1) return vec3(position_floats_b[at], position_floats_b[at + 1], position_floats_b[at + 2]);
#endif
    return vec3(position_floats[at], position_floats[at + 1], position_floats[at + 2]);
}
#endif
