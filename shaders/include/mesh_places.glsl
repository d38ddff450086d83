// The meshes of a layered depth image: their vertices and poses. Partner: query/ldi.rs.
struct MeshPlace {
    vec4 rows[3];
    uint count;
    uint first;
    uint stride;
    uint pad0;
};

layout(std430, binding = PLACES) readonly buffer Places { MeshPlace mesh_places[2]; };
