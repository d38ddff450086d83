#version 460
// Proximity on processors, last: which sample has the best upper bound, a short descent from it within its triangle, and the answer. One
// workgroup. Partner: query/proximity/compute.rs.
#extension GL_GOOGLE_include_directive : require
// Few, because on software devices a lane that waits costs as much as one that works; enough that the largest budget, 2^20 pieces,
// takes no more turns of a loop than drivers allow (65,535 in lavapipe).
#define LANES 32
layout(local_size_x = LANES) in;
#define FIELD_BINDING 7
#include "field.glsl"
#include "meeting.glsl"
#include "proximity.glsl"

layout(std430, binding = 6) readonly buffer Pieces { Piece pieces[]; };
#include "proximity_answer.glsl"

shared uint first_triangle, first_path;

// The sample with this upper bound among the pieces of levels 1 to `last`: its triangle, path and level. Of several the first.
uvec3 find_piece(uint best, uint last)
{
    first_triangle = first_path = 0xffffffffu;
    barrier();
    uint begin = level_start(1), end = level_start(last) + query.counts[last];
    // Triangle, then level and path.
    uvec2 own = uvec2(0xffffffffu);
    for (uint i = begin + gl_LocalInvocationID.x; i < end; i += LANES) {
        if (ordered(pieces[i].upper) != best || pieces[i].triangle > own.x) continue;
        uint level = 1;
        while (level < last && i >= level_start(level) + query.counts[level]) ++level;
        uint path = (level << 16) | pieces[i].path;
        own = uvec2(pieces[i].triangle, pieces[i].triangle < own.x ? path : min(path, own.y));
    }
    atomicMin(first_triangle, own.x);
    barrier();
    uint triangle = first_triangle;
    if (own.x == triangle) atomicMin(first_path, own.y);
    barrier();
    return uvec3(triangle, first_path & 0xffffu, first_path >> 16);
}

void main()
{
    // What was not split counts as it is: the pieces of the last level, or of the first that did not fit.
    uint last = 0;
    uint settled = min(query.settled, 0xff800000u);
    while (last < LEVELS && is_whole(last)) ++last;
    float lower = unordered(min(settled, query.lowers[last]));
    if (!is_whole(last)) last = max(last, 1) - 1;
    uint best = best_until(last);
    uvec3 where = uvec3(query.winner, 0, 0);
    if (best != query.best) where = find_piece(best, last);
    // Nobody has the best where no position is a number.
    if (where.x == 0xffffffffu) where.x = 0;
    if (gl_LocalInvocationID.x != 0) return;
    Corners unit = piece_of(Corners(vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)), where.y, where.z);
    Sample start = Sample(where.x, middle(unit), 0.25 / float(1u << (2 * where.z)));
    answer(start, lower, unordered(best));
}
