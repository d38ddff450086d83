// The vertices of a triangle of the mesh, in cluster order, at binding 1. Partner: scene/mesh.rs, cluster_indices.
#include "fetch.glsl"

#ifdef TEXEL
layout(binding = 1) uniform usamplerBuffer indices;
uint index_at(uint i) { return texelFetch(indices, int(i)).x; }
#else
layout(std430, binding = 1) readonly buffer Indices { uint indices[]; };
uint index_at(uint i) { return indices[i]; }
#endif
uvec3 triangle_corners(uint t) { return uvec3(index_at(3 * t), index_at(3 * t + 1), index_at(3 * t + 2)); }
