// Records that a query writes to a buffer of the engine's, the head before them, and where they are placed. Partner: query/output.rs.
//
// group output

struct OutputHead {
    uint count;   // records that there are, also beyond the room
    uint written; // records that follow
    uint status;  // CUT, INCOMPLETE
    uint reserved;
    uint dispatch[3]; // VkDispatchIndirectCommand for the records
    uint reserved2;
    uint draw[4]; // VkDrawIndirectCommand, an instance per record
};

struct OutputRoom {
    uint capacity;
    uint group_size;
    uint vertices;
};

// Rows of matrices with the shift at the end: what they are is up to the query.
struct OutputFrame {
    vec4 a[3];
    vec4 b[3];
};

layout(std430, binding = 0) readonly buffer Placement { OutputFrame placement; };
// The head again, for the host.
layout(std430, binding = 1) writeonly buffer Note { OutputHead note; };

const uint CUT = 1;
const uint INCOMPLETE = 2;
const uint NO_TRIANGLE = 0xffffffffu;

OutputHead head_of(OutputRoom room, uint count, uint status)
{
    OutputHead h;
    h.count = count;
    h.written = min(count, room.capacity);
    h.status = status | (count > room.capacity ? CUT : 0);
    h.reserved = 0;
    h.dispatch = uint[3](h.written / room.group_size + (h.written % room.group_size > 0 ? 1 : 0), 1, 1);
    h.reserved2 = 0;
    h.draw = uint[4](room.vertices, h.written, 0, 0);
    return h;
}

bool is_first() { return gl_GlobalInvocationID.x == 0; }
uint all_lanes() { return gl_NumWorkGroups.x * gl_WorkGroupSize.x; }

vec3 vec(float v[3]) { return vec3(v[0], v[1], v[2]); }
vec3 turned_by(vec4 rows[3], vec3 v) { return vec3(dot(rows[0].xyz, v), dot(rows[1].xyz, v), dot(rows[2].xyz, v)); }
vec3 shift_of(vec4 rows[3]) { return vec3(rows[0].w, rows[1].w, rows[2].w); }
vec3 placed_by(vec4 rows[3], vec3 p) { return turned_by(rows, p) + shift_of(rows); }
