#version 460
// Proximity on GPUs, fourth: branch and bound within a few pieces of triangles, all levels in shared memory. Parts that can still hold
// a nearer point than the best known before, or found by this workgroup in the levels before, are settled if they are small, or split
// further. So the sets are the same in any order, and so is the answer. The first of a workgroup's pieces becomes its best sample, with
// the level above PATH_BITS of its path. Partner: query/proximity/compute.rs.
#extension GL_GOOGLE_include_directive : require
#define LANES 64
layout(local_size_x = LANES) in;
#define FIELD_BINDING 7
#include "field.glsl"
#include "meeting.glsl"
#include "proximity.glsl"
#include "proximity_parts.glsl"
#include "proximity_winner.glsl"

layout(std430, binding = 6) buffer Pieces { Piece pieces[]; };

// Pieces of the second level that a workgroup can have, and of the third.
#define SECOND (PIECES_PER_GROUP * PARTS)
#define THIRD (SECOND * PARTS)

// Which of the first pieces, from PATH_BITS on, and the path; and a lower bound.
shared uint kept_path[SECOND + THIRD];
shared float kept_lower[SECOND + THIRD];
shared uint kept_count;
shared uint level_upper;
shared uint level_lower;

uint settled;
Winner own;

// Splits `count` pieces of a level, those of levels 2 and 3 from `from` on; keeps parts at `to`, at most `room`.
void split(Meeting meeting, uint first, uint level, uvec2 from_count, uint to, uint room, uint best)
{
    for (uint w = gl_LocalInvocationID.x; w < from_count.y * PARTS; w += LANES) {
        uint at = from_count.x + w / PARTS, part = w % PARTS;
        uint which = level == 1 ? w / PARTS : kept_path[at] >> PATH_BITS;
        Piece piece = pieces[first + which];
        uint path = level == 1 ? piece.path : kept_path[at] & ((1u << PATH_BITS) - 1u);
        float least = level == 1 ? piece.lower : kept_lower[at];
        if (ordered(least) > best) continue;
        PartBounds b = bound_part(meeting, piece.triangle, path, level, part, least);
        uint lower = ordered(b.lower), upper = ordered(b.upper), child = path | (part << (4 * level));
        own = better(own, Winner(upper, piece.triangle, child | ((level + 1) << PATH_BITS)));
        atomicMin(level_upper, upper);
        if (lower > best) continue;
        if (b.small || level + 1 == LEVELS) {
            settled = min(settled, lower);
            continue;
        }
        atomicMin(level_lower, lower);
        uint slot = atomicAdd(kept_count, 1);
        if (slot < room) {
            kept_path[to + slot] = child | (which << PATH_BITS);
            kept_lower[to + slot] = b.lower;
        }
    }
}

// The pieces from `first` on, level by level, with room for `room` pieces beside them.
void settle(Meeting meeting, uint first, uint count, uint room, uint best)
{
    uvec2 from_count = uvec2(0, count);
    for (uint level = 1; level < LEVELS; ++level) {
        uint to = level == 1 ? 0 : SECOND;
        barrier();
        if (gl_LocalInvocationID.x == 0) {
            kept_count = 0;
            level_upper = level_lower = 0xffffffffu;
        }
        barrier();
        split(meeting, first, level, from_count, to, room, best);
        barrier();
        uint kept = kept_count;
        if (kept > room) {
            // Too many: they count as they are.
            settled = min(settled, level_lower);
            break;
        }
        room -= kept;
        best = min(best, level_upper);
        from_count = uvec2(to, kept);
    }
}

void main()
{
    if (!is_whole(1)) return;
    Meeting meeting = query.meeting;
    uint count = query.counts[1], best = best_until(1), known = query.settled;
    // An equal share of what the query may keep for each of the pieces.
    uint room = min(PIECES_PER_GROUP * ((query.capacity - count) / count), THIRD);
    for (uint group = gl_WorkGroupID.x; group * PIECES_PER_GROUP < count; group += gl_NumWorkGroups.x) {
        uint first = group * PIECES_PER_GROUP, size = min(count - first, PIECES_PER_GROUP);
        settled = known;
        own = NO_WINNER;
        if (gl_LocalInvocationID.x < size) {
            Piece piece = pieces[first + gl_LocalInvocationID.x];
            own = Winner(ordered(piece.upper), piece.triangle, piece.path | (1u << PATH_BITS));
        }
        settle(meeting, first, size, room, best);
        Winner winner = workgroup_winner(own);
        if (gl_LocalInvocationID.x == 0) pieces[first] = Piece(winner.triangle, winner.path, 0.0, unordered(winner.upper));
        if (settled < known) atomicMin(query.settled, settled);
    }
}
