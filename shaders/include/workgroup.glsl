// Minimum and maximum over a workgroup of LANES invocations, by subgroup arithmetic of any width or through shared
// memory. Both are exact, so the order does not matter. Every lane gets the result; all lanes must call.

shared vec3 partial[LANES];

#ifdef SUBGROUP
vec3 workgroup_min(vec3 value)
{
    value = subgroupMin(value);
    if (gl_NumSubgroups == 1) return value;
    barrier();
    if (subgroupElect()) partial[gl_SubgroupID] = value;
    barrier();
    for (uint i = 0; i < gl_NumSubgroups; ++i) value = min(value, partial[i]);
    return value;
}
#else
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
#endif

vec3 workgroup_max(vec3 value) { return -workgroup_min(-value); }
