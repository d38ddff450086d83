// What every path of proximity answers, in the field's frame.
struct ProximityAnswer {
    float distance;
    float lower;
    float upper;
    uint triangle; // in cluster order
    float barycentric[3];
    uint in_domain;
    float point[3];
    float closest[3];
    float direction[3];
};
