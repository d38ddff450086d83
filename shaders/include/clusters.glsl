// Triangle clusters as they lie in memory. Partner: scene/mesh.rs.

struct ClusterRange {
    uint first_vertex;
    uint vertex_count;
    uint first_triangle;
    uint triangle_count;
};

struct ClusterBounds {
    float center[3];
    float radius;
    float min[3];
    uint first;
    float max[3];
    uint count;
};
