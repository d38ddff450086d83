// The sums of a workgroup's lanes, in an order that is fixed on each device. Needs penalty.glsl and workgroup.glsl; with
// SUBGROUP a workgroup is one subgroup.

PenaltySum nothing()
{
    return PenaltySum(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0), 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0);
}

PenaltySum reduced(PenaltySum own)
{
    PenaltySum total = nothing();
    total.force_area = workgroup_add(own.force_area);
    total.torque_pressure = workgroup_add(own.torque_pressure);
    total.centroid_error = workgroup_add(own.centroid_error);
    total.errors = workgroup_add(own.errors);
    // Counts are whole numbers that a float holds exactly, up to 16 million in a cluster. Above the 16 bits of the samples, lanes that
    // sampled farther apart are counted.
    uint high = (own.samples >> 16) | (own.coarsened != 0 ? 0x10000u : 0u);
    vec4 areas = workgroup_add(vec4(own.inner_area, own.outer_area, float(own.samples & 0xffffu), float(high)));
    total.inner_area = areas.x;
    total.outer_area = areas.y;
    total.samples = uint(areas.z) + (uint(areas.w) << 16);
    total.coarsened = uint(areas.w) >> 16;
    vec3 depths = workgroup_max(vec3(own.depth_upper, own.depth_lower, own.deepest.w));
    total.depth_upper = depths.x;
    total.depth_lower = depths.y;
    // The first lane with the deepest sample tells where it is.
    float first = workgroup_min(own.deepest.w == depths.z ? float(lane()) : 1e9);
    bool mine = float(lane()) == first;
    total.deepest = vec4(workgroup_max(mine ? own.deepest.xyz : vec3(uintBitsToFloat(0xff800000u))), depths.z);
    return total;
}
