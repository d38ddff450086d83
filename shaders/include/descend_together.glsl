// The descent of proximity by LANES = 64 lanes of one workgroup, so that few samples wait for others. All must call.

// Rounds: each is four times as fine as the one before.
#define ROUNDS 6

shared uint descent_upper, descent_lane;
shared vec3 descent_weights;

// The weights at which a lane, of all, found the smallest upper bound; `weights` unless one is below `best`.
void take_best(vec3 tried, float upper, inout vec3 weights, inout uint best)
{
    uint word = ordered(upper);
    barrier();
    if (gl_LocalInvocationID.x == 0) {
        descent_upper = best;
        descent_lane = LANES;
    }
    barrier();
    atomicMin(descent_upper, word);
    barrier();
    bool mine = word == descent_upper && word < best;
    if (mine) atomicMin(descent_lane, gl_LocalInvocationID.x);
    barrier();
    if (mine && descent_lane == gl_LocalInvocationID.x) descent_weights = tried;
    barrier();
    if (descent_lane < LANES) weights = descent_weights;
    best = descent_upper;
}

// Ever finer squares of 8 x 8 samples around the best so far; corners first. What lies beyond the triangle is moved to its rim.
vec3 descend(Corners t, vec3 weights, float step)
{
    uint lane = gl_LocalInvocationID.x, best = 0xffffffffu;
    vec3 corner = lane == 1 ? vec3(1, 0, 0) : lane == 2 ? vec3(0, 1, 0) : lane == 3 ? vec3(0, 0, 1) : weights;
    take_best(corner, upper_at(t, corner), weights, best);
    vec2 place = vec2(lane % 8, lane / 8) / 3.5 - 1.0;
    for (uint k = 0; k < ROUNDS; ++k, step *= 0.25) {
        vec2 by = 2.0 * step * place;
        vec3 tried = max(weights + vec3(-by.x - by.y, by), vec3(0.0));
        tried /= tried.x + tried.y + tried.z;
        take_best(tried, upper_at(t, tried), weights, best);
    }
    return weights;
}
