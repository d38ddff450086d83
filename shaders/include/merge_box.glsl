// Merges a box into `extremes`, six words from `at` on: three minima and three complemented maxima, so that one fill with ones starts all
// six. Integers in the order of the floats merge in any order to the same bits.
#include "ordered.glsl"

void merge_box(uint at, vec3 lowest, vec3 highest)
{
    for (uint axis = 0; axis < 3; ++axis) {
        atomicMin(extremes[at + axis], ordered(lowest[axis]));
        atomicMin(extremes[at + 3 + axis], ~ordered(highest[axis]));
    }
}
