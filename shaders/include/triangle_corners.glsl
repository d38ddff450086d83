// The vertices of a triangle of the mesh, in cluster order, at binding 1. With TWO there are those of two meshes, and a workgroup's z
// says of which. Partner: scene/mesh.rs, cluster_indices.
#include "fetch.glsl"

#ifdef TEXEL
layout(binding = 1) uniform usamplerBuffer indices;
#ifdef TWO
layout(binding = INDICES_B) uniform usamplerBuffer indices_b;
#endif
uint index_at(uint i)
{
#ifdef TWO
    if (gl_WorkGroupID.z == 1) return texelFetch(indices_b, int(i)).x;
#endif
    return texelFetch(indices, int(i)).x;
}
#else
layout(std430, binding = 1) readonly buffer Indices { uint indices[]; };
#ifdef TWO
layout(std430, binding = INDICES_B) readonly buffer IndicesB { uint indices_b[]; };
#endif
uint index_at(uint i)
{
#ifdef TWO
    if (gl_WorkGroupID.z == 1) return indices_b[i];
#endif
    return indices[i];
}
#endif
uvec3 triangle_corners(uint t) { return uvec3(index_at(3 * t), index_at(3 * t + 1), index_at(3 * t + 2)); }
