// What the ways of making a layered depth image are pushed. Partner: query/ldi/generators.rs, ConvertPush.

layout(push_constant) uniform ConvertPush {
    uint mesh;
    uint count;
    // Nodes that there is room for.
    uint capacity;
} push;
