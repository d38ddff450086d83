// The lists of crossings, one per ray and mesh: heads[mesh * pixels + pixel] is the first node, shifted by one; its lowest bit says
// whether the ray starts inside. Only rays with more crossings than their slots hold have one. Needs frame.glsl; the including
// kernel names the bindings. Partner: query/ldi.rs.
//
// group rays

const uint ENTERS = 0x80000000u;
// Crossings of a ray that need no list: see slots.glsl.
const uint SLOTS = 4;

layout(std430, binding = HEADS) buffer Heads { uint heads[]; };
// Depth, triangle with its direction, next.
layout(std430, binding = NODES) buffer Nodes { uint nodes[]; };

float node_depth(uint node) { return uintBitsToFloat(nodes[3 * node]); }
uint node_tag(uint node) { return nodes[3 * node + 1]; }
uint node_next(uint node) { return nodes[3 * node + 2]; }
