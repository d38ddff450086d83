#version 460
// Lists the pairs of clusters whose boxes touch. A workgroup takes 64 clusters of the first mesh and a stretch of those of the second: these
// meet the box of all 64 first, and what touches that meets each of them. The list's order is whatever it is. Partner: query/pairs/search.rs.
#extension GL_GOOGLE_include_directive : require
#define LANES 64
layout(local_size_x = LANES) in;
#include "clusters.glsl"
#include "pair_search.glsl"

layout(std430, binding = 0) buffer State { PairSearch state; };
layout(std430, binding = 1) readonly buffer BoundsA { ClusterBounds bounds_a[]; };
layout(std430, binding = 2) readonly buffer BoundsB { ClusterBounds bounds_b[]; };
layout(std430, binding = 3) writeonly buffer Listed { uint listed[]; };
#include "pair_placing.glsl"

shared vec3 lows[LANES];
shared vec3 highs[LANES];
shared uint near[LANES];
shared uint near_count;

vec3 vec(float v[3]) { return vec3(v[0], v[1], v[2]); }

void main()
{
    uint lane = gl_LocalInvocationID.x;
    uint a = gl_WorkGroupID.x * LANES + lane;
    bool exists = a < state.clusters_a;
    uint real = min(a, state.clusters_a - 1);
    Box own = Box(vec(bounds_a[real].min), vec(bounds_a[real].max));

    // The box of all: a cluster that is not there counts as the last one.
    lows[lane] = own.low;
    highs[lane] = own.high;
    for (uint half_width = LANES / 2; half_width > 0; half_width /= 2) {
        barrier();
        if (lane < half_width) {
            lows[lane] = min(lows[lane], lows[lane + half_width]);
            highs[lane] = max(highs[lane], highs[lane + half_width]);
        }
    }
    barrier();
    Box all_of_a = Box(lows[0], highs[0]);
    barrier();

    uint run = (state.clusters_b + gl_NumWorkGroups.y - 1) / gl_NumWorkGroups.y;
    uint end = min((gl_WorkGroupID.y + 1) * run, state.clusters_b);
    for (uint first = gl_WorkGroupID.y * run; first < end; first += LANES) {
        if (lane == 0) near_count = 0;
        barrier();
        uint b = first + lane;
        if (b < end) {
            Box box = placed_box(vec(bounds_b[b].min), vec(bounds_b[b].max));
            if (touch(all_of_a, box)) {
                uint at = atomicAdd(near_count, 1);
                near[at] = b;
                lows[at] = box.low;
                highs[at] = box.high;
            }
        }
        barrier();
        uint count = near_count;
        for (uint i = 0; i < count; ++i) {
            if (!exists || !touch(own, Box(lows[i], highs[i]))) continue;
            uint at = atomicAdd(state.cluster_pairs, 1);
            if (at < state.cluster_room) {
                listed[2 * at] = a;
                listed[2 * at + 1] = near[i];
            }
        }
        barrier();
    }
}
