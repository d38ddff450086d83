// What the kernels of contacts know of the vertices, edges and faces of clusters that may touch. Needs contacts.glsl. Partner:
// query/contacts/side.rs.

// What is known of vertices, edges and faces: words in stretches, one after the other.
#ifndef WORK_ACCESS
#define WORK_ACCESS
#endif
layout(std430, binding = 6) WORK_ACCESS buffer Work { uint work[]; };
uint value_at(uint vertex) { return vertex; }                          // the field's value, as a float
uint veto_at(uint vertex) { return query.vertices + vertex; }          // 1 where the surface descends from it
uint area_at(uint vertex) { return 2 * query.vertices + vertex; }      // a third of its triangles, in fixed point
uint home_at(uint vertex) { return 3 * query.vertices + vertex; }      // its first triangle
uint parent_at(uint node) { return 4 * query.vertices + node; }        // towards the first node of its region; vertices, then faces
uint edge_at(uint half_edge) { return 5 * query.vertices + query.triangles + 2 * half_edge; } // where its minimum begins and ends
uint edge_veto_at(uint half_edge) { return 5 * query.vertices + 7 * query.triangles + half_edge; }
uint face_at(uint triangle) { return 5 * query.vertices + 10 * query.triangles + 2 * triangle; } // where its minimum is
uint candidate_at(uint i) { return 5 * query.vertices + 12 * query.triangles + i; } // a vertex, half-edge or face that may be listed
uint large_face_at(uint i) { return 6 * query.vertices + 19 * query.triangles + i; } // a face that many samples are taken of

uint face_node(uint triangle) { return query.vertices + triangle; }

// A region's first node. Links only ever lead to smaller numbers, so the result does not depend on the order of linking.
uint region_of(uint node)
{
    for (uint turn = 0; turn < 4096; ++turn) {
        uint parent = work[parent_at(node)];
        if (parent == node) break;
        node = parent;
    }
    return node;
}

#ifdef LINKS
// The same, and half as far for whoever comes next.
uint shortened_to_region(uint node)
{
    for (uint turn = 0; turn < 4096; ++turn) {
        uint parent = work[parent_at(node)];
        if (parent == node) break;
        uint next = work[parent_at(parent)];
        if (next != parent) atomicMin(work[parent_at(node)], next);
        node = next;
    }
    return node;
}

void link(uint a, uint b)
{
    for (uint turn = 0; turn < 4096; ++turn) {
        a = shortened_to_region(a);
        b = shortened_to_region(b);
        if (a == b) break;
        uint low = min(a, b), high = max(a, b);
        if (atomicCompSwap(work[parent_at(high)], high, low) == high) break;
    }
}
#endif

// Vertices, beginnings and ends of minima on half-edges, and faces as one range of numbers.
uint edge_number(uint half_edge) { return query.vertices + 2 * half_edge; }
uint face_number(uint triangle) { return query.vertices + 6 * query.triangles + triangle; }

// Every device allows this many workgroups; beyond it, each takes more.
const uint MAX_GROUPS = 65535;
void ask_for_groups(uint count) { atomicMax(touching.list_command[0], min(count, MAX_GROUPS)); }

void add_candidate(uint number)
{
    uint slot = atomicAdd(touching.candidates, 1);
    work[candidate_at(slot)] = number;
    ask_for_groups(slot / 64 + 1);
}
