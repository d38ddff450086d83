// What the kernels of proximity share. Bounds are kept as integers in the order of the floats, so that atomic minima merge
// them in any order to the same bits. Partner: query/proximity/compute.rs.
#define LEVELS 4
// Pieces along an edge when a piece is split, and pieces in all.
#define SPLIT 4
#define PARTS 16

struct ProximityQuery {
    Meeting meeting;
    float tolerance;
    uint capacity;
    // The smallest upper bound of triangles' middles, and of a corner in each cluster.
    uint best;
    // The triangle that has it, once all were looked at: of several the first in cluster order.
    uint winner;
    // The smallest lower bound of what was small enough, or could not be split further.
    uint settled;
    // The smallest upper bound of a vertex of each cluster: known first, and enough to cull by. It is not compared with bounds that
    // other kernels compute: their rounding may differ, and a filter makes a step of an ulp.
    uint ceiling;
    // Of the pieces that triangles were split into: how many can hold a nearer point, and the smallest upper and lower bounds.
    uint count;
    uint upper;
    uint lower;
    // Workgroups that split the pieces, as a command of the device.
    uint groups;
    uint groups_y;
    uint groups_z;
};

// A piece of a triangle; after proximity_pieces.comp, the first of PIECES_PER_GROUP is their best sample.
struct Piece {
    uint triangle;
    // Four bits a level, the first level lowest, and from PATH_BITS on the level.
    uint path;
    float lower;
    float upper;
};
#define PATH_BITS 16

layout(std430, binding = 4) buffer Query { ProximityQuery query; };

// Whether splitting a piece around p would gain too little: it is below the tolerance; or wholly outside of the domain and below a
// quarter of the interval that the field leaves open there.
bool is_small(vec3 p, float radius, float lower, float upper)
{
    bool outside = length(p - field_origin() - field_clamp(p) * field.cell) > radius;
    return radius <= max(query.tolerance, outside ? 0.2 * (upper - lower) : 0.0);
}

// Pieces that a workgroup splits, and the workgroups that every device allows: with more pieces each takes several times as many.
#define PIECES_PER_GROUP 4
#define MAX_GROUPS 65535

// Whether all pieces were stored.
bool is_whole() { return query.count <= query.capacity; }

// A part of a triangle cut into SPLIT * SPLIT: row by row from corner a, pointing as the triangle and against it in turn.
Corners part_of(Corners t, uint part)
{
    uint row = part >= 9 ? 3 : part >= 4 ? 2 : part >= 1 ? 1 : 0;
    uint along = part - row * row;
    float step = 1.0 / float(SPLIT);
    vec3 u = (t.b - t.a) * step, v = (t.c - t.b) * step;
    vec3 corner = t.a + float(row) * u + float(along >> 1) * v;
    if ((along & 1u) == 0u) return Corners(corner, corner + u, corner + u + v);
    return Corners(corner + u + v, corner + v, corner);
}

Corners piece_of(Corners t, uint path, uint level)
{
    for (uint k = 0; k < level; ++k) t = part_of(t, (path >> (4 * k)) & 15u);
    return t;
}
