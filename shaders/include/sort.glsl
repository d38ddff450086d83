// Sorts a linked list of crossings by relinking it: any length, no memory of its own. Needs rays.glsl.
//
// Crossings at one depth are ordered by direction, entries first, and then by triangle, so that the order of a list does not
// depend on the order of its making.

bool comes_before(uint a, uint b)
{
    float depth_a = node_depth(a), depth_b = node_depth(b);
    return depth_a != depth_b ? depth_a < depth_b : (node_tag(a) ^ ENTERS) < (node_tag(b) ^ ENTERS);
}

uint merged(uint a, uint b)
{
    uint first = NIL, last = NIL;
    while (a != NIL && b != NIL) {
        uint next;
        if (comes_before(b, a)) {
            next = b;
            b = node_next(b);
        } else {
            next = a;
            a = node_next(a);
        }
        if (last == NIL) first = next;
        else nodes[3 * last + 2] = next;
        last = next;
    }
    uint rest = a != NIL ? a : b;
    if (last == NIL) return rest;
    nodes[3 * last + 2] = rest;
    return first;
}

// By insertion, for short lists: nothing is kept beside the list.
uint sorted_short(uint list)
{
    uint first = list;
    list = node_next(list);
    nodes[3 * first + 2] = NIL;
    while (list != NIL) {
        uint node = list, before = NIL, after = first;
        list = node_next(node);
        while (after != NIL && comes_before(after, node)) {
            before = after;
            after = node_next(after);
        }
        nodes[3 * node + 2] = after;
        if (before == NIL) first = node;
        else nodes[3 * before + 2] = node;
    }
    return first;
}

uint sorted_long(uint list)
{
    // run[n] is a sorted list of 2^n nodes, or none.
    uint run[24];
    for (uint n = 0; n < 24; ++n) run[n] = NIL;
    uint runs = 0;
    while (list != NIL) {
        uint node = list;
        list = node_next(node);
        nodes[3 * node + 2] = NIL;
        uint n = 0;
        for (; n < 23 && run[n] != NIL; ++n) {
            node = merged(run[n], node);
            run[n] = NIL;
        }
        run[n] = merged(run[n], node);
        runs = max(runs, n + 1);
    }
    for (uint n = 0; n < runs; ++n) list = merged(run[n], list);
    return list;
}

uint sorted(uint list, uint count) { return count < 2 ? list : count <= 32 ? sorted_short(list) : sorted_long(list); }
