// Cluster boxes seen along the rows of a pose. Needs clusters.glsl and extremes.glsl, whose `along` never decreases when a
// coordinate that the row counts grows: each product and each sum rounds, and rounding keeps order. So places of corners
// bound the places of vertices to the bit, without slack.
#include "fetch.glsl"

#ifdef TEXEL
layout(binding = 2) uniform samplerBuffer clusters;
vec3 box_min(uint cluster) { return texelFetch(clusters, int(3 * cluster + 1)).xyz; }
vec3 box_max(uint cluster) { return texelFetch(clusters, int(3 * cluster + 2)).xyz; }
#else
layout(std430, binding = 2) readonly buffer Clusters { ClusterBounds clusters[]; };
vec3 box_min(uint cluster)
{
    return vec3(clusters[cluster].min[0], clusters[cluster].min[1], clusters[cluster].min[2]);
}
vec3 box_max(uint cluster)
{
    return vec3(clusters[cluster].max[0], clusters[cluster].max[1], clusters[cluster].max[2]);
}
#endif

// The corners of the box where a row is least and greatest.
vec3 least_corner(vec4 row, vec3 low, vec3 high) { return mix(high, low, greaterThan(row.xyz, vec3(0.0))); }
vec3 greatest_corner(vec4 row, vec3 low, vec3 high) { return mix(low, high, greaterThan(row.xyz, vec3(0.0))); }
