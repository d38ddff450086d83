// What the raster paths share: which triangles are drawn, and how. Needs meeting_params.glsl and views.glsl. Partner:
// query/drawing.rs.
struct Drawing {
    Meeting meeting;
    Views views;
    // Whether corners have velocities of their own.
    uint has_velocities;
    // The smallest and the largest value that is drawn as a depth.
    float least;
    float most;
    // Where the indices of what is drawn start.
    uint first_index;
    // For each axis a VkDrawIndexedIndirectCommand, and what rounds it to 32 bytes.
    uint draws[24];
    // The middle of the field's domain.
    vec4 middle;
};

// Words of a draw command: how many indices, how many instances, the first index.
#define DRAW_WORDS 8
