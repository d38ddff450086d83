// What every path of penalty answers, in the field's frame.
struct PenaltyAnswer {
    float force[3];
    float area;
    float torque[3];
    float depth_sum;
    float centroid_sum[3]; // points times their areas
    float depth_sum_error;
    float deepest[3];
    float depth;
    float inner_area;
    float outer_area;
    float depth_upper;
    float depth_lower;
    uint samples;
    // The exact sums are no farther from force and torque, and from the torque on the mesh; infinite where that was not asked for.
    float force_error;
    float torque_error;
    float mesh_torque_error;
    // Whether triangles were sampled farther apart than asked for.
    uint coarsened;
};
