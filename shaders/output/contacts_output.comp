#version 460
// Contacts of a pair as records, patch by patch. Partner: query/contacts/output.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 64) in;
#include "output.glsl"
#include "raw_contact.glsl"
#include "contacts_answer.glsl"

struct ContactRecord {
    float point_a[3];
    float separation;
    float point_b[3];
    float lower;
    float normal[3];
    float upper;
    float world_a[3];
    float area;
    float world_b[3];
    uint patch_index;
    float barycentric[3];
    uint triangle;
    uint key_low;
    uint key_high;
    uint on;
    uint feature;
};
layout(std430, binding = 2) readonly buffer Heads { ContactsHead heads[]; };
layout(std430, binding = 3) readonly buffer Contacts { RawContact contacts[]; };
// For each triangle of a mesh in cluster order its number: of body A's mesh, and of body B's.
layout(std430, binding = 4) readonly buffer OrderA { uint order_a[]; };
layout(std430, binding = 5) readonly buffer OrderB { uint order_b[]; };
layout(std430, binding = 6) writeonly buffer Records { OutputHead head; ContactRecord records[]; };

layout(push_constant) uniform ContactsOutputPush {
    OutputRoom room;
    uint first;    // contact, in pieces
    uint capacity; // contacts before reduction that there was room for
    float rest;    // the offsets that are taken from every separation
} push;

void main()
{
    uint kept = heads[0].kept;
    if (is_first()) head = note = head_of(push.room, kept, heads[0].raw > push.capacity ? INCOMPLETE : 0);
    for (uint i = gl_GlobalInvocationID.x; i < min(kept, push.room.capacity); i += all_lanes()) {
        RawContact c = contacts[push.first + i];
        bool on_b = (c.key_high >> 31) == 0;
        vec3 point = vec(c.point), normal = vec(c.normal), across = c.separation * normal;
        vec3 at_a = on_b ? point - across : point, at_b = on_b ? point : point + across;
        ContactRecord r;
        r.point_a = floats(at_a);
        r.point_b = floats(placed_by(placement.b, at_b));
        r.normal = floats(turned_by(placement.a, normal));
        r.separation = c.separation - push.rest;
        r.lower = c.lower - push.rest;
        r.upper = c.upper - push.rest;
        r.world_a = floats(placed_by(placement.a, at_a));
        r.world_b = floats(placed_by(placement.a, at_b));
        r.area = c.area;
        r.patch_index = c.region;
        r.barycentric = float[3](1.0 - c.weights[0] - c.weights[1], c.weights[0], c.weights[1]);
        r.triangle = on_b ? order_b[c.triangle] : order_a[c.triangle];
        r.key_low = c.key_low;
        r.key_high = c.key_high;
        r.on = on_b ? 1 : 0;
        r.feature = min(c.key_high >> 29 & 3, 2);
        records[i] = r;
    }
}
