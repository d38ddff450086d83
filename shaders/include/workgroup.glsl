// Minimum, maximum and sum over a workgroup. Minima and maxima are exact, sums have a fixed order: the result is the same every
// time. Every lane gets it; all must call.
// With SUBGROUP a workgroup is one full subgroup of the size that the pipeline requires, which constant 0 is set to, and needs no
// barrier (gpu/pipeline.rs); otherwise it has LANES invocations that meet in shared memory.
//
// axis workgroup: subgroup=SUBGROUP shared

#ifdef SUBGROUP
layout(local_size_x_id = 0) in;
vec3 workgroup_min(vec3 value) { return subgroupMin(value); }
float workgroup_min(float value) { return subgroupMin(value); }

#ifdef WORKGROUP_SUMS
vec4 workgroup_add(vec4 value) { return subgroupAdd(value); }
#endif
// What lanes wrote to shared memory before can be read after.
void workgroup_sync()
{
    memoryBarrierShared();
    subgroupBarrier();
}
uint lanes() { return gl_WorkGroupSize.x; }
#else
layout(local_size_x = LANES) in;
shared vec3 partial[LANES];
vec3 workgroup_min(vec3 value)
{
    barrier();
    partial[gl_LocalInvocationID.x] = value;
    for (uint half_width = LANES / 2; half_width > 0; half_width /= 2) {
        barrier();
        if (gl_LocalInvocationID.x < half_width)
            partial[gl_LocalInvocationID.x] =
                min(partial[gl_LocalInvocationID.x], partial[gl_LocalInvocationID.x + half_width]);
    }
    barrier();
    return partial[0];
}
float workgroup_min(float value) { return workgroup_min(vec3(value)).x; }
#ifdef WORKGROUP_SUMS
shared vec4 partial_sums[LANES];

vec4 workgroup_add(vec4 value)
{
    barrier();
    partial_sums[gl_LocalInvocationID.x] = value;
    for (uint half_width = LANES / 2; half_width > 0; half_width /= 2) {
        barrier();
        if (gl_LocalInvocationID.x < half_width)
            partial_sums[gl_LocalInvocationID.x] += partial_sums[gl_LocalInvocationID.x + half_width];
    }
    barrier();
    return partial_sums[0];
}
#endif
void workgroup_sync() { barrier(); }
uint lanes() { return LANES; }
#endif

uint lane() { return gl_LocalInvocationID.x; }

vec3 workgroup_max(vec3 value) { return -workgroup_min(-value); }
