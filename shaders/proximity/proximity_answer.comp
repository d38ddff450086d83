#version 460
// Proximity, last: which sample has the best upper bound, a short descent from it within its triangle, and the answer. One
// workgroup. Partner: query/proximity/compute.rs.
//
// variant texel_direction: TEXEL FIELD_DIRECTION
// variant texel_distance: TEXEL FIELD_DISTANCE
// variant texel_sparse: TEXEL FIELD_SPARSE
// variant storage_direction: FIELD_DIRECTION
// variant storage_distance: FIELD_DISTANCE
// variant storage_sparse: FIELD_SPARSE
#extension GL_GOOGLE_include_directive : require
#define LANES 64
layout(local_size_x = LANES) in;
#define FIELD_BINDING 7
#include "field.glsl"
#include "meeting.glsl"
#include "proximity.glsl"

layout(std430, binding = 5) writeonly buffer Answers { uint answers[]; };
layout(std430, binding = 6) readonly buffer Pieces { Piece pieces[]; };

// Halvings of the descent's step.
#define STEPS 12

shared uint first_triangle, first_path;

// The sample with this upper bound among the pieces of levels 1 to `last`: its triangle, path and level. Of several the first.
uvec3 find_piece(uint best, uint last)
{
    first_triangle = first_path = 0xffffffffu;
    barrier();
    uint begin = level_start(1), end = level_start(last) + query.counts[last];
    for (uint i = begin + gl_LocalInvocationID.x; i < end; i += LANES)
        if (ordered(pieces[i].upper) == best) atomicMin(first_triangle, pieces[i].triangle);
    barrier();
    uint triangle = first_triangle;
    for (uint i = begin + gl_LocalInvocationID.x; i < end; i += LANES)
        if (ordered(pieces[i].upper) == best && pieces[i].triangle == triangle) {
            uint level = 1;
            while (i >= level_start(level) + query.counts[level]) ++level;
            atomicMin(first_path, (level << 16) | pieces[i].path);
        }
    barrier();
    return uvec3(triangle, first_path & 0xffffu, first_path >> 16);
}

vec3 point_at(Corners t, vec3 weights) { return placed(query.meeting, weights.x * t.a + weights.y * t.b + weights.z * t.c); }

float upper_at(Corners t, vec3 weights)
{
    vec3 p = point_at(t, weights);
    return field_upper(sample_field(p), p);
}

// Walks downhill in a triangle by ever smaller steps along its edges.
vec3 descend(Corners t, vec3 weights, float step)
{
    float best = upper_at(t, weights);
    for (uint k = 0; k < STEPS; ++k, step *= 0.5)
        for (uint way = 0; way < 6; ++way) {
            uint from = way >> 1, to = (from + 1 + (way & 1u)) % 3;
            vec3 moved = weights;
            float by = min(step, moved[from]);
            moved[from] -= by;
            moved[to] += by;
            float upper = upper_at(t, moved);
            if (upper < best) {
                best = upper;
                weights = moved;
            }
        }
    return weights;
}

void put(uint word, float value) { answers[query.at + word] = floatBitsToUint(value); }
void put(uint word, vec3 value) { for (uint i = 0; i < 3; ++i) put(word + i, value[i]); }

void answer(uvec3 where, float lower, float upper)
{
    Corners t = load_triangle(query.meeting, where.x);
    Corners unit = piece_of(Corners(vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)), where.y, where.z);
    vec3 weights = descend(t, middle(unit), 0.25 / float(1u << (2 * where.z)));
    vec3 p = point_at(t, weights);
    FieldSample s = sample_field(p);
    float slack = placing_error(query.meeting, vec4(middle(t), reach(t)));
    upper = min(upper, field_upper(s, p) + slack);
    put(0, s.distance);
    put(1, min(lower, upper));
    put(2, upper);
    answers[query.at + 3] = where.x;
    put(4, weights);
    answers[query.at + 7] = s.in_domain ? 1 : 0;
    put(8, p);
    // From outside the domain, the surface as seen from the nearest point of the domain.
    vec3 g = field_clamp(p);
    vec3 q = (s.in_domain ? p : field_origin() + g * field.cell) + s.direction * abs(field_at(g).x);
    put(11, q);
    put(14, s.in_domain ? s.direction : normalize(q - p));
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
    if (gl_LocalInvocationID.x == 0) answer(where, lower, unordered(best));
}
