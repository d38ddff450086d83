// What the kernels of contacts know of the vertices, edges and faces of clusters that may touch. Needs contacts.glsl. Partner:
// query/contacts/side.rs.

// What is known of vertices, edges and faces: stretches of the side's words.
uint value_at(uint vertex) { return query.work_at + vertex; }          // the field's value, as a float
uint lower_at(uint vertex) { return query.work_at + query.vertices + vertex; }         // a lower bound of the exact distance, as a float
uint veto_at(uint vertex) { return query.work_at + 2 * query.vertices + vertex; }      // 1 where the surface descends from it
uint area_at(uint vertex) { return query.work_at + 3 * query.vertices + vertex; }      // a third of its triangles, in fixed point
uint home_at(uint vertex) { return query.work_at + 4 * query.vertices + vertex; }      // its first triangle
uint parent_at(uint node) { return query.work_at + 5 * query.vertices + node; }        // towards the first node of its region; vertices, then faces
// Of the half-edge that stands for an edge: where its minimum begins, where it ends and where it is; and its value, which all edges have.
uint edge_at(uint half_edge) { return query.work_at + 6 * query.vertices + query.triangles + 3 * half_edge; }
// Where it does not begin or end, because it is level up to the end of the edge.
const float LEVEL_BEFORE = -1.0;
const float LEVEL_BEYOND = 2.0;
uint edge_value_at(uint half_edge) { return query.work_at + 6 * query.vertices + 10 * query.triangles + half_edge; }
uint edge_veto_at(uint half_edge) { return query.work_at + 6 * query.vertices + 13 * query.triangles + half_edge; }
uint face_at(uint triangle) { return query.work_at + 6 * query.vertices + 16 * query.triangles + 2 * triangle; } // where its minimum is
uint mark_at(uint triangle) { return query.work_at + 6 * query.vertices + 18 * query.triangles + triangle; }     // FACE_LISTED, FACE_ASKED
uint edge_search_at(uint i) { return query.work_at + 6 * query.vertices + 19 * query.triangles + i; } // a half-edge whose minimum is searched
uint listed_face_at(uint i) { return query.work_at + 6 * query.vertices + 22 * query.triangles + i; } // a triangle with more than its corners
uint candidate_at(uint i) { return query.work_at + 6 * query.vertices + 23 * query.triangles + i; } // a vertex, half-edge or face that may be listed
uint large_face_at(uint i) { return query.work_at + 7 * query.vertices + 30 * query.triangles + i; } // a face that many samples are taken of

// A triangle has a minimum on an edge, is large, or is searched itself; and the last of these.
const uint FACE_LISTED = 1;
const uint FACE_ASKED = 2;

const float INFINITE = 3.0e38;

uint face_node(uint triangle) { return query.vertices + triangle; }

// Some drivers end an invocation's loops after 65,535 turns in all.
const uint MOST_STEPS = 8192;

// A region's first node. Links only ever lead to smaller numbers, so the result does not depend on the order of linking.
uint region_of(uint node)
{
    for (uint turn = 0; turn < MOST_STEPS; ++turn) {
        uint parent = work[parent_at(node)];
        if (parent == node) break;
        node = parent;
    }
    return node;
}

// One step towards the first node, which later walks skip: what a node leads to only ever becomes smaller.
uint step_up(uint node, uint parent)
{
    uint next = work[parent_at(parent)];
    if (next != parent) atomicMin(work[parent_at(node)], next);
    return next;
}

// Makes one region of two. One loop for both walks bounds the turns.
void link(uint a, uint b)
{
    for (uint turn = 0; turn < MOST_STEPS; ++turn) {
        uint above_a = work[parent_at(a)], above_b = work[parent_at(b)];
        if (above_a == above_b) break;
        bool is_top = above_a == a && above_b == b;
        uint low = min(a, b), high = max(a, b);
        if (is_top && atomicCompSwap(work[parent_at(high)], high, low) == high) break;
        if (above_a != a) a = step_up(a, above_a);
        if (above_b != b) b = step_up(b, above_b);
    }
}

// Vertices, beginnings and ends of minima on half-edges, and faces as one range of numbers.
uint edge_number(uint half_edge) { return query.vertices + 2 * half_edge; }
uint face_number(uint triangle) { return query.vertices + 6 * query.triangles + triangle; }

void add_candidate(uint number)
{
    uint slot = atomicAdd(touching.candidates, 1);
    work[candidate_at(slot)] = number;
    if (starts_group(slot)) atomicAdd(commands.list_command[0], 1);
}

void add_edge_search(uint half_edge)
{
    uint slot = atomicAdd(touching.edge_searches, 1);
    work[edge_search_at(slot)] = half_edge;
    if (starts_group(slot)) atomicAdd(commands.edge_command[0], 1);
}

// Once for each triangle.
void add_listed_face(uint triangle)
{
    uint slot = atomicAdd(touching.listed_faces, 1);
    work[listed_face_at(slot)] = triangle;
    if (starts_group(slot)) atomicAdd(commands.face_command[0], 1);
}
