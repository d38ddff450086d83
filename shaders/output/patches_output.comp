#version 460
// Patches of a pair's contacts as records in the world, the deepest first. Partner: query/contacts/output.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "output.glsl"
#include "raw_contact.glsl"
#include "contacts_answer.glsl"

struct PatchRecord {
    float normal[3];
    float area;
    float center[3];
    float hull_distance;
    float tangent[3];
    uint raw;
    float moments[3];
    uint kept;
};
layout(std430, binding = 2) readonly buffer Heads { ContactsHead heads[]; };
layout(std430, binding = 3) readonly buffer Patches { ContactPatch patches[]; };
layout(std430, binding = 4) writeonly buffer Records { OutputHead head; PatchRecord records[]; };

layout(push_constant) uniform PatchesOutputPush {
    OutputRoom room;
    uint capacity; // contacts before reduction that there was room for
} push;

void main()
{
    uint count = heads[0].patches;
    if (is_first()) head = note = head_of(push.room, count, heads[0].raw > push.capacity ? INCOMPLETE : 0);
    for (uint i = gl_GlobalInvocationID.x; i < min(count, push.room.capacity); i += all_lanes()) {
        ContactPatch p = patches[1 + i];
        records[i] = PatchRecord(floats(turned_by(placement.a, vec(p.normal))), p.area, floats(placed_by(placement.a, vec(p.centre))),
                                 p.hull_distance, floats(turned_by(placement.a, vec(p.tangent))), p.raw, p.moments, p.kept);
    }
}
