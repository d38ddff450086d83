#version 460
// Proximity on processors, fourth: a level of branch and bound. Pieces that can still hold a nearer point are split; of their parts those that are
// small are settled, the others listed. What is compared with was known before this level started, so the list is the same in any
// order; only its order is not. Partner: query/proximity/compute.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 7
#include "field.glsl"
#include "meeting.glsl"
#include "proximity.glsl"
#include "proximity_parts.glsl"

layout(std430, binding = 6) buffer Pieces { Piece pieces[]; };

layout(push_constant) uniform PiecesPush { uint level; } push;

void main()
{
    // The zero keeps lavapipe from compiling the kernel anew for each value that branches depend on.
    uint level = push.level + gl_WorkGroupID.z;
    if (!is_whole(level)) return;
    Meeting meeting = query.meeting;
    uint start = level_start(level);
    uint count = query.counts[level];
    uint best = best_until(level);
    uint settled = query.settled, upper_found = query.uppers[level + 1];
    for (uint w = gl_GlobalInvocationID.x; w < count * PARTS; w += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        Piece piece = pieces[start + w / PARTS];
        if (ordered(piece.lower) > best) continue;
        uint part = w % PARTS;
        PartBounds b = bound_part(meeting, piece.triangle, piece.path, level, part, piece.lower);
        uint lower = ordered(b.lower), upper = ordered(b.upper);
        upper_found = min(upper_found, upper);
        if (lower > best) continue;
        // One that may be the best of all is listed all the same, or the answer could not name it.
        if (upper >= best && b.small) {
            settled = min(settled, lower);
            continue;
        }
        uint slot = count_piece(level + 1, lower);
        if (slot < query.capacity - start - count)
            pieces[start + count + slot] = Piece(piece.triangle, piece.path | (part << (4 * level)), b.lower, b.upper);
    }
    if (settled < query.settled) atomicMin(query.settled, settled);
    if (upper_found < query.uppers[level + 1]) atomicMin(query.uppers[level + 1], upper_found);
}
