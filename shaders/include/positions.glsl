// Vertex positions: Proxel's own through a texel view where the device can hold it (software devices read texels
// several times faster), the engine's buffer with any stride otherwise. Partner: scene/mesh.rs, PositionBinding.

#ifdef TEXEL
layout(binding = 0) uniform samplerBuffer position_floats;
float position_float(uint i) { return texelFetch(position_floats, int(i)).r; }
#else
layout(std430, binding = 0) readonly buffer Positions { float position_floats[]; };
float position_float(uint i) { return position_floats[i]; }
#endif

vec3 load_position(uint vertex, uint first, uint stride)
{
    uint at = first + vertex * stride;
    return vec3(position_float(at), position_float(at + 1), position_float(at + 2));
}
