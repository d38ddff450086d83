#version 460
// Proximity by drawing, fifth: the least pixel of each tile of the picture (Morvan et al. 2008, section 3.3, reduces by halves; a
// tile does twelve of these steps at once). Of equals the first. Partner: query/proximity/raster.rs.
#extension GL_GOOGLE_include_directive : require
#define LANES 64
layout(local_size_x = LANES) in;
#include "ordered.glsl"

layout(binding = 0) uniform sampler2D points;
// The bound as an integer in the order of the floats, and the pixel.
layout(std430, binding = 1) writeonly buffer Tiles { uvec2 tiles[]; };

#define TILE 64

shared uvec2 least[LANES];

void main()
{
    ivec2 size = textureSize(points, 0);
    uint lane = gl_LocalInvocationID.x;
    uvec2 best = uvec2(0xffffffffu);
    int x = int(gl_WorkGroupID.x * TILE + lane);
    if (x < size.x)
        for (int y = int(gl_WorkGroupID.y * TILE); y < min(int(gl_WorkGroupID.y + 1) * TILE, size.y); ++y) {
            uint value = ordered(texelFetch(points, ivec2(x, y), 0).w);
            if (value < best.x) best = uvec2(value, uint(y * size.x + x));
        }
    least[lane] = best;
    for (uint half_width = LANES / 2; half_width > 0; half_width /= 2) {
        barrier();
        if (lane < half_width) {
            uvec2 other = least[lane + half_width];
            if (other.x < least[lane].x || (other.x == least[lane].x && other.y < least[lane].y)) least[lane] = other;
        }
    }
    if (lane == 0) tiles[gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x] = least[0];
}
