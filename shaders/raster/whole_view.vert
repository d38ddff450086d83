#version 460
// A triangle that covers the whole view. Partner: query/penalty/raster.rs.
void main()
{
    vec2 corner = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.5, 1.0);
}
