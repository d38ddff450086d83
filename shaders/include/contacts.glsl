// What the kernels share that look for contacts of one side: the surface of a mesh in the field of the other body. Places and
// distances are in the field's frame and units until a contact is listed. A dispatch works on several sides of one mesh and one field, each
// with memory of its own. Needs field.glsl and meeting.glsl. Partner: query/contacts/side.rs.
//
// group side

struct ContactsQuery {
    Meeting meeting;
    // From the field's frame to the pair's: body A's axes and origin, the world's units.
    vec4 to_pair[3];
    // Signed distances up to this make a contact.
    float distance;
    // Field units per unit of the mesh, and world units per field unit.
    float ratio;
    float unit;
    // From one sample of an edge or of a large face to the next.
    float spacing;
    // Distances that differ by less are taken as equal.
    float noise;
    // Counts of fixed-point area per area.
    float area_scale;
    uint side;
    uint sampling;
    uint vertices;
    uint triangles;
    uint capacity;
    // Where the side's memory starts, counted from that of the dispatch's first side: its element of `features`, the words of its list of
    // clusters and of what else it knows, and its contacts.
    uint touching_at;
    uint list_at;
    uint work_at;
    uint raw_at;
    // Parts of the working memory start at multiples of 256 bytes, so they are elements of an array.
    uint pad[21];
};

// In storage: lavapipe compiles a kernel anew for uniforms that branches depend on. Copied: software devices read buffers a lane at a
// time, and again in every turn of a loop.
layout(std430, binding = 4) readonly buffer Query { ContactsQuery queries[]; };
layout(push_constant) uniform SidesPush { uint sides[15]; uint count; } push; // elements of `queries`, and how many
ContactsQuery query;

// How many clusters may have a contact, what of them is searched and what is to be listed, and large faces among them; with the
// commands that run a workgroup for each cluster, and enough for the rest.
struct TouchingFeatures {
    uint clusters;
    uint cluster_command[3];
    uint edge_searches;
    uint edge_command[3];
    uint listed_faces;
    uint face_command[3];
    uint candidates;
    uint large_faces;
    uint list_command[3];
    uint large_command[3];
    uint pad[12];
};
layout(std430, binding = 5) buffer Touching { TouchingFeatures features[]; };
#define touching features[query.touching_at]
// Those of the first side are for all: the sum of what each asks for.
#define commands features[0]

const uint LANES = 64;
// The most workgroups of a side: every device allows as many of fifteen. Beyond it, each takes more.
const uint MOST_GROUPS = 4096;
uint groups_for(uint count) { return min((count + LANES - 1) / LANES, MOST_GROUPS); }
bool starts_group(uint slot) { return slot % LANES == 0 && slot / LANES < MOST_GROUPS; }

// Which of its side's workgroups this one is, and how many these are.
uint side_group;
uint side_groups;

#ifdef SIDE_GROUPS
// Finds the side. SIDE_GROUPS says how many workgroups a side asked for, by its features.
void take_side()
{
    side_group = gl_WorkGroupID.x;
    uint side = 0;
    for (; side + 1 < push.count; ++side) {
        uint groups = SIDE_GROUPS(features[queries[push.sides[side]].touching_at]);
        if (side_group < groups) break;
        side_group -= groups;
    }
    query = queries[push.sides[side]];
    side_groups = SIDE_GROUPS(touching);
}
#endif

// Words in stretches, one after the other: the clusters that may touch, then what contact_work.glsl has.
#ifndef WORK_ACCESS
#define WORK_ACCESS
#endif
layout(std430, binding = 6) WORK_ACCESS buffer Work { uint work[]; };
uint touching_cluster_at(uint i) { return query.list_at + i; }

const uint NONE = 0xffffffffu;

// Whose surface descends by less than this per length is as good as level: see docs/contacts.md.
const float LEVEL_SLOPE = 0.005;

// How sampling stops: partner Sampling in query/contacts.rs.
const uint SAMPLING_ALL = 0;
const uint SAMPLING_VERTICES = 1;
const uint SAMPLING_EDGE_CENTRES = 2;

// How far a placed point of a cluster can be from its exact place: placing_error of meeting.glsl, for a scaled mesh.
float scaled_placing_error(vec4 sphere)
{
    return 1.2e-6 * (query.ratio * (length(sphere.xyz) + sphere.w) + query.meeting.shift);
}

Corners placed_triangle(uint t)
{
    Corners own = load_triangle(query.meeting, t);
    return Corners(placed(query.meeting, own.a), placed(query.meeting, own.b), placed(query.meeting, own.c));
}

// What values are compared by: the field's, without the certificate; outside of the domain, as far as the surface is at least.
float value_of(vec3 p)
{
    vec3 g = field_clamp(p);
    float value = field_value(g);
    // No difference of rounded places inside: it may be anything but zero.
    vec3 beyond = max(max(field_origin() - p, p - field_origin() - field_cells() * field.cell), vec3(0.0));
    float outside = length(beyond);
    return outside > 0.0 ? sqrt(outside * outside + max(value, 0.0) * max(value, 0.0)) : value;
}

// Whether the surface goes down from one value to another, this far away, by more than what counts as level.
bool descends(float from, float to, float size) { return to < from - LEVEL_SLOPE * size - query.noise; }

// Samples along the edge of a face that one lane looks through; larger faces are shared by the lanes of a workgroup, which samples many
// times more often.
const float FACE_CELLS = 6.0;
bool is_large(Corners t) { return longest_edge(t) > FACE_CELLS * query.spacing; }
