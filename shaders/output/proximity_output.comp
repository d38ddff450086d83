#version 460
// The answer of a proximity query as a record in the world. Partner: query/proximity.rs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 1) in;
#include "output.glsl"
#include "floats.glsl"
#include "proximity_result.glsl"

struct ProximityRecord {
    float distance;
    float lower;
    float upper;
    uint triangle;
    float barycentric[3];
    uint in_domain;
    float point_mesh[3];
    uint penetrating;
    float point_field[3];
    uint reserved;
    float direction[3];
    uint reserved2;
};
layout(std430, binding = 2) readonly buffer Answers { ProximityAnswer answers[]; };
// For each triangle in cluster order its number.
layout(std430, binding = 3) readonly buffer Order { uint order[]; };
layout(std430, binding = 4) writeonly buffer Records { OutputHead head; ProximityRecord records[]; };

layout(push_constant) uniform ProximityOutputPush {
    OutputRoom room;
    uint triangles;
} push;

void main()
{
    head = note = head_of(push.room, 1, 0);
    if (push.room.capacity == 0) return;
    ProximityAnswer a = answers[0];
    records[0] = ProximityRecord(a.distance, a.lower, a.upper, a.triangle < push.triangles ? order[a.triangle] : NO_TRIANGLE, a.barycentric,
                                 a.in_domain == 1 ? 1 : 0, floats(placed_by(placement.a, vec(a.point))), a.upper < 0.0 ? 1 : 0,
                                 floats(placed_by(placement.a, vec(a.closest))), 0, floats(turned_by(placement.a, vec(a.direction))), 0);
}
