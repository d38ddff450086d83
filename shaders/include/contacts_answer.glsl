// The answer of a pair: a head, as many patches as asked for, contacts, in pieces of 64 bytes. Needs raw_contact.glsl.
struct ContactsHead {
    uint raw;
    uint patches;
    uint kept;
    uint left_out; // contacts of patches beyond the limit
    // A unit pressure over all contacts, and over those kept: force, and torque about the origin of the pair's frame.
    float force[3];
    float torque[3];
    float kept_force[3];
    float kept_torque[3];
};
struct ContactPatch {
    float normal[3];
    float area;
    float centre[3];
    float hull_distance; // of the farthest contact left out from the hull of those kept
    float tangent[3];
    uint raw;
    float moments[3]; // of the area about the centroid: along the tangent, along the other tangent, mixed
    uint kept;
};
