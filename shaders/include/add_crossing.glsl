// Puts a crossing at the head of a ray's list. Needs rays.glsl, `summary` and `push.capacity`.

void add_crossing(uint at, float depth, uint tag)
{
    // Positions that are no numbers cross nowhere; lists hold numbers, so that walks along them end.
    if (!(abs(depth) < 1e30)) return;
    uint node = atomicAdd(summary.nodes, 1);
    if (node >= push.capacity) return;
    nodes[3 * node] = floatBitsToUint(depth);
    nodes[3 * node + 1] = tag;
    nodes[3 * node + 2] = atomicExchange(heads[at], node << 1) >> 1;
}
