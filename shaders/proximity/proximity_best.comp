#version 460
// Proximity on GPUs, last: which sample has the best upper bound, a short descent from it within its triangle by all lanes, and the
// answer. One workgroup. Partner: query/proximity/compute.rs.
#extension GL_GOOGLE_include_directive : require
#define LANES 64
layout(local_size_x = LANES) in;
#define FIELD_BINDING 7
#include "field.glsl"
#include "meeting.glsl"
#include "proximity.glsl"
#include "proximity_winner.glsl"

layout(std430, binding = 6) readonly buffer Pieces { Piece pieces[]; };
#define TOGETHER
#include "proximity_answer.glsl"

void main()
{
    bool whole = is_whole(1);
    // Triangles' middles, then what workgroups found in the pieces. Pieces that were not all stored cannot be named, and count as they
    // are.
    Winner own = Winner(query.best, query.winner, 0);
    uint count = whole ? query.counts[1] : 0;
    for (uint i = PIECES_PER_GROUP * gl_LocalInvocationID.x; i < count; i += PIECES_PER_GROUP * LANES)
        own = better(own, Winner(ordered(pieces[i].upper), pieces[i].triangle, pieces[i].path));
    Winner winner = workgroup_winner(own);
    uint settled = min(query.settled, 0xff800000u);
    if (!whole) settled = min(settled, query.lowers[1]);
    // Nobody has the best where no position is a number.
    if (winner.triangle == 0xffffffffu) winner = Winner(winner.upper, 0, 0);
    uint level = winner.path >> PATH_BITS;
    Corners unit = piece_of(Corners(vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)), winner.path & ((1u << PATH_BITS) - 1u), level);
    answer(Sample(winner.triangle, middle(unit), 0.25 / float(1u << (2 * level))), unordered(settled), unordered(winner.upper));
}
