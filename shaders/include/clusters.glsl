// Triangle clusters as they lie in memory. Partner: scene/mesh.rs.

// Where a cluster's vertices and triangles are.
struct ClusterRange {
    uint first_vertex;
    uint vertex_count;
    uint first_triangle;
    uint triangle_count;
};

// The box and the sphere of a cluster.
struct ClusterBounds {
    float center[3]; // of the box and of the sphere
    float radius;    // of the sphere, rounded up
    float min[3];
    uint first;      // its first triangle in the mesh's cluster order
    float max[3];
    uint count;      // of its triangles
};
