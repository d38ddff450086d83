// The triangles of a cluster that are to be split, in shared memory, and their parts, which are settled or listed as pieces of level 1.
// Needs proximity_parts.glsl, `pieces` and `settled`; a workgroup has 64 lanes, and sets listed_count to 0 before.

shared uint listed_triangle[64];
shared uint listed_lower[64];
shared uint listed_count;

void list(uint triangle, uint lower, uint upper)
{
    uint slot = atomicAdd(listed_count, 1);
    listed_triangle[slot] = triangle;
    listed_lower[slot] = lower;
}

// All lanes take parts of the triangles. What is compared with was known before, so the pieces are the same in any order; only their order
// is not.
void split_listed(Meeting meeting, uint best)
{
    barrier();
    uint count = listed_count * PARTS;
    for (uint w = gl_LocalInvocationID.x; w < count; w += 64) {
        uint triangle = listed_triangle[w / PARTS], part = w % PARTS;
        PartBounds b = bound_part(meeting, triangle, 0, 0, part, unordered(listed_lower[w / PARTS]));
        uint lower = ordered(b.lower), upper = ordered(b.upper);
        if (upper < query.uppers[1]) atomicMin(query.uppers[1], upper);
        if (lower > best) continue;
        // One that may be the best of all is listed all the same, or the answer could not name it.
        if (upper >= best && b.small) {
            settled = min(settled, lower);
            continue;
        }
        uint slot = count_piece(1, lower);
        if (slot < query.capacity) pieces[slot] = Piece(triangle, part, b.lower, b.upper);
    }
    barrier();
    if (gl_LocalInvocationID.x == 0) listed_count = 0;
    barrier();
}
