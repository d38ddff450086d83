#version 460
// Proximity, fourth: a level of branch and bound. Pieces that can still hold a nearer point are settled if they are small, or
// split. What is compared with was known before this level started, so the list is the same in any order; only its order is
// not. Partner: query/proximity/compute.rs.
//
// variant texel_direction: TEXEL FIELD_DIRECTION
// variant texel_distance: TEXEL FIELD_DISTANCE
// variant texel_sparse: TEXEL FIELD_SPARSE
// variant storage_direction: FIELD_DIRECTION
// variant storage_distance: FIELD_DISTANCE
// variant storage_sparse: FIELD_SPARSE
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#define FIELD_BINDING 7
#include "field.glsl"
#include "meeting.glsl"
#include "proximity.glsl"

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
    for (uint w = gl_GlobalInvocationID.x; w < count * PARTS; w += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        Piece piece = pieces[start + w / PARTS];
        if (ordered(piece.lower) > best) continue;
        Corners t = piece_of(load_triangle(meeting, piece.triangle), piece.path, level);
        float radius = reach(t);
        uint part = w % PARTS;
        if (is_small(placed(meeting, middle(t)), radius, piece.lower, piece.upper)) {
            if (part == 0) atomicMin(query.settled, ordered(piece.lower));
            continue;
        }
        t = part_of(t, part);
        vec3 p = placed(meeting, middle(t));
        FieldSample s = sample_field(p);
        // The sphere of the triangle's cluster is not at hand; the corners tell as much.
        float slack = placing_error(meeting, vec4(middle(t), radius));
        float lower = max(piece.lower, s.lower - slack - reach(t));
        float upper = field_upper(s, p) + slack;
        atomicMin(query.uppers[level + 1], ordered(upper));
        if (ordered(lower) > best) continue;
        uint slot = count_piece(level + 1, ordered(lower));
        if (slot < query.capacity - start - count)
            pieces[start + count + slot] = Piece(piece.triangle, piece.path | (part << (4 * level)), lower, upper);
    }
}
