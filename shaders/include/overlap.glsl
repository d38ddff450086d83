// What the shaders of overlap share. Partner: query/overlap.rs.
struct OverlapQuery {
    Meeting meeting;
    Views views;
    // What is drawn: a VkDrawIndirectCommand.
    uint vertices;
    uint instances;
    uint first_vertex;
    uint first_instance;
};
