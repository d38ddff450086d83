// What the shaders of overlap share. Partner: query/overlap.rs.
struct OverlapQuery {
    Meeting meeting;
    Views views;
    // What is drawn: a VkDrawIndirectCommand.
    uint vertices;
    uint instances;
    uint first_vertex;
    uint first_instance;
    // The first triangle that is surely inside as a whole, or none: all ones.
    uint inside;
    uint pad0;
    uint pad1;
    uint pad2;
};
