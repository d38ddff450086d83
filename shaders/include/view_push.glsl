// How a mesh is seen in a view. Partner: query/visibility/view.rs.

layout(push_constant) uniform ViewPush {
    // Three rows of four: from the mesh's frame to view space.
    float rows[12];
    // From view space to clip space, then the size of a pixel in view space.
    vec4 scale_and_pixel;
    // From view space to depth.
    float depth;
    // What is drawn holds all points this near to the triangle, in depth and on the screen.
    float radius;
    float grow;
    // Where positions are, see positions.glsl.
    uint first;
    uint stride;
} view;
