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
    // The smallest lower bound of what was small enough.
    uint settled;
    // The smallest upper bound of a vertex of each cluster: known first, and enough to cull by. It is not compared with bounds that
    // other kernels compute: their rounding may differ, and a filter makes a step of an ulp.
    uint ceiling;
    uint pad0;
    uint pad1;
    // Of the pieces of each level: how many there are, and their smallest upper and lower bounds.
    uint counts[LEVELS + 1];
    uint uppers[LEVELS + 1];
    uint lowers[LEVELS + 1];
    uint pad2;
    // Workgroups that each level's pieces need, as a command of the device.
    uint commands[3 * (LEVELS + 1)];
    uint pad3;
};

struct Piece {
    uint triangle;
    // Four bits a level, the first level lowest; the level is where it is stored.
    uint path;
    float lower;
    float upper;
};

layout(std430, binding = 4) buffer Query { ProximityQuery query; };

// Whether splitting a piece around p would gain too little: it is below the tolerance; or wholly outside of the domain and below a
// quarter of the interval that the field leaves open there.
bool is_small(vec3 p, float radius, float lower, float upper)
{
    bool outside = length(p - field_origin() - field_clamp(p) * field.cell) > radius;
    return radius <= max(query.tolerance, outside ? 0.2 * (upper - lower) : 0.0);
}

// Pieces whose parts a workgroup of the next level takes, and the workgroups that every device allows: with more pieces than that
// each workgroup takes several times as many.
#define PIECES_PER_GROUP 4
#define MAX_GROUPS 65535

// Counts a piece that was found at a level, and the workgroups for it; returns its place in the level.
uint count_piece(uint level, uint lower)
{
    // Asked before, because few have anything to say: an atomic is one lane after the other.
    if (lower < query.lowers[level]) atomicMin(query.lowers[level], lower);
    uint slot = atomicAdd(query.counts[level], 1);
    uint counted = min(query.capacity, PIECES_PER_GROUP * MAX_GROUPS);
    if (slot % PIECES_PER_GROUP == 0 && slot < counted) atomicAdd(query.commands[3 * level], 1);
    return slot;
}

// Where a level's pieces start, and whether all of them were stored.
uint level_start(uint level)
{
    uint start = 0;
    for (uint k = 0; k < level; ++k) start += query.counts[k];
    return start;
}
bool is_whole(uint level)
{
    // Counted level by level: the sum of levels that fit cannot overflow.
    uint used = 0;
    for (uint k = 0; k <= level; ++k) {
        if (query.counts[k] > query.capacity - used) return false;
        used += query.counts[k];
    }
    return true;
}

// The smallest upper bound up to a level whose pieces were all stored.
uint best_until(uint level)
{
    uint best = query.best;
    for (uint k = 1; k <= level; ++k) best = min(best, query.uppers[k]);
    return best;
}

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
