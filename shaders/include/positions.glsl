// Vertex positions: Proxel's own, four floats each, through a texel view where the device can hold it (software devices
// read texels several times faster than storage); otherwise floats in a storage buffer, with any stride for the engine's.
// Partner: scene/mesh.rs, PositionBinding.
#include "fetch.glsl"

#ifdef TEXEL
layout(binding = 0) uniform samplerBuffer positions;
vec3 load_position(uint vertex, uint first, uint stride) { return texelFetch(positions, int(vertex)).xyz; }
#else
layout(std430, binding = 0) readonly buffer Positions { float position_floats[]; };
vec3 load_position(uint vertex, uint first, uint stride)
{
    uint at = first + vertex * stride;
    return vec3(position_floats[at], position_floats[at + 1], position_floats[at + 2]);
}
#endif
