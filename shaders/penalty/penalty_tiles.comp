#version 460
// Penalty by drawing, fifth: the sums of each tile of the picture, in a fixed order: columns, then neighbours
// (Morvan et al. 2008, section 3.4). Partner: query/penalty/raster.rs.
#extension GL_GOOGLE_include_directive : require
#define LANES 64
layout(local_size_x = LANES) in;

layout(binding = 0) uniform sampler2D forces;
layout(binding = 1) uniform sampler2D torques;
layout(binding = 2) uniform sampler2D centroids;
layout(std430, binding = 3) writeonly buffer Tiles { vec4 tiles[]; };

#define TILE 64

shared vec4 sums[3][LANES];

void main()
{
    ivec2 size = textureSize(forces, 0);
    uint lane = gl_LocalInvocationID.x;
    vec4 force = vec4(0.0), torque = vec4(0.0), contact = vec4(0.0);
    int x = int(gl_WorkGroupID.x * TILE + lane);
    if (x < size.x)
        for (int y = int(gl_WorkGroupID.y * TILE); y < min(int(gl_WorkGroupID.y + 1) * TILE, size.y); ++y) {
            vec4 here = texelFetch(forces, ivec2(x, y), 0);
            if (here.w == 0.0) continue;
            force += here;
            torque += texelFetch(torques, ivec2(x, y), 0);
            contact += texelFetch(centroids, ivec2(x, y), 0);
        }
    sums[0][lane] = force;
    sums[1][lane] = torque;
    sums[2][lane] = contact;
    for (uint half_width = LANES / 2; half_width > 0; half_width /= 2) {
        barrier();
        if (lane < half_width)
            for (uint i = 0; i < 3; ++i) sums[i][lane] += sums[i][lane + half_width];
    }
    barrier();
    uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (lane < 3) tiles[3 * tile + lane] = sums[lane][0];
}
