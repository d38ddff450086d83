// Who reports what: for each half-edge, in cluster order, the one across its edge, or NONE; then for each vertex of each cluster its
// number, with a mark where the cluster stands for it. Needs contacts.glsl. Partner: scene/mesh.rs, contact_tables.
layout(std430, binding = 8) readonly buffer Tables { uint tables[]; };

uint edge_twin(uint half_edge) { return tables[half_edge]; }
// The half-edge that stands for an edge.
uint edge_owner(uint half_edge) { return min(half_edge, edge_twin(half_edge)); }
uint cluster_vertex(uint at) { return tables[3 * query.triangles + at] & 0x7fffffffu; }
bool owns_vertex(uint at) { return tables[3 * query.triangles + at] >> 31 == 1u; }
