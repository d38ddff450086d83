// Adds a crossing to a ray: to its slots, or when they are full to the head of its list. Needs rays.glsl, slots.glsl, `summary` and
// `push.capacity`.

// Positions that are no numbers cross nowhere; lists hold numbers below 2^100, so that walks along them end. Compared as integers:
// compilers may take it that every float is a number, and turn comparisons round.
bool is_depth(float depth) { return (floatBitsToUint(depth) & 0x7fffffffu) < 0x71800000u; }

// False when the slots are full.
bool add_to_slots(uint at, float depth, uint tag)
{
    if (!is_depth(depth)) return true;
    uint slot = atomicAdd(counts[at], 1);
    if (slot >= SLOTS) return false;
    slot_depths[SLOTS * at + slot] = depth;
    slot_tags[SLOTS * at + slot] = tag;
    return true;
}

void add_to_list(uint at, float depth, uint tag)
{
    uint node = atomicAdd(summary.nodes, 1);
    if (node >= push.capacity) return;
    nodes[3 * node] = floatBitsToUint(depth);
    nodes[3 * node + 1] = tag;
    nodes[3 * node + 2] = atomicExchange(heads[at], node << 1) >> 1;
}

void add_crossing(uint at, float depth, uint tag)
{
    if (!add_to_slots(at, depth, tag)) add_to_list(at, depth, tag);
}
