#version 460
// Samples a ramp between its voxels, for gpu/filter.rs to see how the device filters.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "filter_steps.glsl"

layout(binding = 0) uniform sampler3D ramp;
layout(std430, binding = 1) writeonly buffer Values { float values[]; };

// Partner: gpu/filter.rs.
#define SAMPLES 1024

void main()
{
    uint i = gl_GlobalInvocationID.x, axis = i / SAMPLES % 3;
    vec3 texel = vec3(i < 3 * SAMPLES ? 0.0 : 2.0, 0.0, 0.0);
    texel[axis] += (float(i % SAMPLES) + 0.5) / float(SAMPLES);
    values[i] = textureLod(ramp, (stepped(texel) + 0.5) / vec3(textureSize(ramp, 0)), 0.0).x;
}
