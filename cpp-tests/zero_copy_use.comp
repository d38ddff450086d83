// The engine's own kernel: it takes contacts as Proxel's records lie in the engine's buffer, as many as the head says, and adds them up. It is
// dispatched by the head too.
#version 450

layout(local_size_x = 8) in;

struct Contact {
    float point_a[3];
    float separation;
    float point_b[3];
    float lower;
    float normal[3];
    float upper;
    float world_a[3];
    float area;
    float world_b[3];
    uint patch_index;
    float barycentric[3];
    uint triangle;
    uint key_low;
    uint key_high;
    uint on;
    uint feature;
};
layout(set = 0, binding = 0) readonly buffer Records {
    uint count;
    uint written;
    uint status;
    uint reserved;
    uint dispatch[3];
    uint reserved2;
    uint draw[4];
    Contact contacts[];
};
layout(set = 0, binding = 1) buffer Found {
    uint taken;
    uint off_sphere;   // contacts whose point is not on the sphere
    uint deepest;      // in millionths
    uint heads_status;
} found;

layout(push_constant) uniform Sphere { vec4 centre_radius; } sphere;

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i == 0) found.heads_status = status;
    if (i >= written) return;
    atomicAdd(found.taken, 1);
    const vec3 at = vec3(contacts[i].world_b[0], contacts[i].world_b[1], contacts[i].world_b[2]);
    const float off = abs(distance(at, sphere.centre_radius.xyz) - sphere.centre_radius.w);
    if (!(off < 1e-3)) atomicAdd(found.off_sphere, 1);
    atomicMax(found.deepest, uint(max(-contacts[i].separation, 0.0) * 1e6));
}
