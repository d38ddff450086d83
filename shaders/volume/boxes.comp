#version 460
// The boxes of two meshes under their poses at once; a workgroup's z says of which. For one mesh there is bounds.comp. Partner: query/ldi.rs.
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif
#define LANES 64
#define TWO
#define POSITIONS_B 1
#include "positions.glsl"
#define PLACES 3
#include "mesh_places.glsl"
#include "along.glsl"

layout(std430, binding = 2) buffer Extremes { uint extremes[]; };
#include "merge_box.glsl"
#include "workgroup.glsl"

void main()
{
    uint mesh = gl_WorkGroupID.z;
    MeshPlace own = mesh_places[mesh];
    vec3 lowest = vec3(uintBitsToFloat(0x7f800000u));
    vec3 highest = -lowest;
    for (uint v = gl_WorkGroupID.x * lanes() + lane(); v < own.count; v += gl_NumWorkGroups.x * lanes()) {
        vec3 world = moved_by(own.rows, load_position(v, own.first, own.stride));
        lowest = min(lowest, world);
        highest = max(highest, world);
    }
    lowest = workgroup_min(lowest);
    highest = workgroup_max(highest);
    if (lane() == 0) merge_box(6 * mesh, lowest, highest);
}
