// The descent of proximity by one lane, one sample after the other: on software devices lanes that wait cost as much as those that work.

// Halvings of the step.
#define STEPS 12

// From the best corner or `weights`, downhill in a triangle by ever smaller steps along its edges.
vec3 descend(Corners t, vec3 weights, float step)
{
    float best = upper_at(t, weights);
    for (uint corner = 0; corner < 3; ++corner) {
        vec3 there = vec3(corner == 0, corner == 1, corner == 2);
        float upper = upper_at(t, there);
        if (upper < best) {
            best = upper;
            weights = there;
        }
    }
    for (uint k = 0; k < STEPS; ++k, step *= 0.5)
        for (uint way = 0; way < 6; ++way) {
            uint from = way >> 1, to = (from + 1 + (way & 1u)) % 3;
            vec3 moved = weights;
            float by = min(step, moved[from]);
            moved[from] -= by;
            moved[to] += by;
            float upper = upper_at(t, moved);
            if (upper < best) {
                best = upper;
                weights = moved;
            }
        }
    return weights;
}
