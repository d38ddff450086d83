// A field at a point: lower <= exact distance <= upper.
struct SampleResult {
    float distance;     // interpolated, signed; outside the domain it is lower
    float lower;
    float upper;
    uint in_domain;     // 1 inside the field's domain, 0 outside
    float direction[3]; // unit vector towards the closest point of the surface, or zero where the field does not tell
    uint interior;      // 1 where the interpolated distance, at the domain's nearest point, is negative
};
