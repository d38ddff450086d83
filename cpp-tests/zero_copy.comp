// The engine's own kernel: it writes the vertices of a sphere, six grids of a cube drawn onto it, and nobody else ever does.
#version 450

layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Positions { float values[]; } positions;

layout(push_constant) uniform Sphere {
    vec4 centre_radius;
    uint squares;  // along a side of a grid, even
    uint stride;   // floats from one position to the next
} sphere;

void main() {
    const uint side = sphere.squares + 1;
    const uint vertex = gl_GlobalInvocationID.x;
    if (vertex >= 6 * side * side) return;
    const uint face = vertex / (side * side);
    const uvec2 at = uvec2(vertex % side, vertex / side % side);
    const vec2 place = (2.0 * vec2(at) - float(sphere.squares)) / float(sphere.squares);
    const vec3 cube = vec3(face < 3 ? 1.0 : -1.0, place);
    const vec3 turned = face % 3 == 0 ? cube : face % 3 == 1 ? cube.zxy : cube.yzx;
    const vec3 p = sphere.centre_radius.xyz + sphere.centre_radius.w * normalize(turned);
    for (uint axis = 0; axis < 3; ++axis) positions.values[vertex * sphere.stride + axis] = p[axis];
}
