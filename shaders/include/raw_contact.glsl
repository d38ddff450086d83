// A contact before reduction, in the pair's frame: body A's axes and origin, the world's units. Before those of a pair there is one whose
// `region` counts them. Partner: query/contacts.rs.
#include "floats.glsl"

struct RawContact {
    float point[3]; // on the mesh that was sampled
    float separation;
    float normal[3]; // from A to B
    float area;
    float lower;
    float upper;
    uint key_high; // the side whose mesh was sampled (1 bit), the kind of feature (2), the place on it (29)
    uint key_low;  // the feature
    float weights[2]; // of the triangle's second and third corner
    uint triangle; // in cluster order
    uint region;
};
