// What the ways of making a layered depth image are pushed. Partner: query/ldi/generators.rs, ConvertPush.

layout(push_constant) uniform ConvertPush {
    uint mesh;
    // Triangles of each mesh.
    uint counts[2];
    // Nodes that there is room for.
    uint capacity;
} push;
