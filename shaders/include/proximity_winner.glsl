// The sample with the smallest upper bound: of several the first by triangle, then by level and path, so that it is the same in any
// order. Needs proximity.glsl.

// Bits of a path; above them is the level.
#define PATH_BITS 16

struct Winner {
    uint upper;
    uint triangle;
    // The path, and from PATH_BITS on the level.
    uint path;
};
const Winner NO_WINNER = Winner(0xffffffffu, 0xffffffffu, 0xffffffffu);

Winner better(Winner a, Winner b)
{
    bool second = b.upper != a.upper ? b.upper < a.upper : b.triangle != a.triangle ? b.triangle < a.triangle : b.path < a.path;
    if (second) return b;
    return a;
}

shared uint winner_upper, winner_triangle, winner_path;

// The best of all lanes; all must call.
Winner workgroup_winner(Winner own)
{
    barrier();
    if (gl_LocalInvocationID.x == 0) winner_upper = winner_triangle = winner_path = 0xffffffffu;
    barrier();
    atomicMin(winner_upper, own.upper);
    barrier();
    bool mine = own.upper == winner_upper;
    if (mine) atomicMin(winner_triangle, own.triangle);
    barrier();
    mine = mine && own.triangle == winner_triangle;
    if (mine) atomicMin(winner_path, own.path);
    barrier();
    return Winner(winner_upper, winner_triangle, winner_path);
}
