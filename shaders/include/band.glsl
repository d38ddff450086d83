// What the kernels of the narrow band share: the grid, and positions in cells from its first node, where every node has
// whole coordinates. Partner: query/band.rs.

#include "positions.glsl"

#include "band_push.glsl"

ivec3 grid_nodes() { return ivec3(push.nodes[0], push.nodes[1], push.nodes[2]); }

int node_at(int x, int y, int z) { return (z * int(push.nodes[1]) + y) * int(push.nodes[0]) + x; }

// The nodes at or after a coordinate, and at or before one. Clamped twice: a float that is no number must not become an
// index outside the grid.
ivec3 nodes_from(vec3 p) { return clamp(ivec3(ceil(clamp(p, vec3(0.0), vec3(grid_nodes())))), ivec3(0), grid_nodes()); }
ivec3 nodes_to(vec3 p)
{
    return clamp(ivec3(floor(clamp(p, vec3(-1.0), vec3(grid_nodes() - 1)))), ivec3(-1), grid_nodes() - 1);
}

vec3 corner(uint vertex)
{
    vec3 origin = vec3(push.origin[0], push.origin[1], push.origin[2]);
    precise vec3 p = (load_position(vertex, push.first, push.stride) - origin) * push.inverse_cell;
    return p;
}
