// The end of every path of proximity: a short descent from the best sample within its triangle, and the answer. All LANES = 64 lanes
// of one workgroup call it. Needs proximity.glsl.
#include "floats.glsl"

// In the field's frame.
struct ProximityAnswer {
    float distance;
    float lower;
    float upper;
    uint triangle; // in cluster order
    float barycentric[3];
    uint in_domain;
    float point[3];
    float closest[3];
    float direction[3];
};

layout(std430, binding = 5) writeonly buffer Answers { ProximityAnswer answers[]; };

// Rounds of the descent: each is four times as fine as the one before.
#define ROUNDS 6

vec3 point_at(Corners t, vec3 weights) { return placed(query.meeting, weights.x * t.a + weights.y * t.b + weights.z * t.c); }

float upper_at(Corners t, vec3 weights)
{
    vec3 p = point_at(t, weights);
    return field_upper(sample_field(p), p);
}

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

// Where the descent starts: a triangle, the weights of its corners, and how far it may be off.
struct Sample {
    uint triangle;
    vec3 weights;
    float step;
};

void answer(Sample start, float lower, float upper)
{
    Corners t = load_triangle(query.meeting, start.triangle);
    vec3 weights = descend(t, start.weights, start.step);
    if (gl_LocalInvocationID.x != 0) return;
    vec3 p = point_at(t, weights);
    FieldSample s = sample_field(p);
    float slack = placing_error(query.meeting, vec4(middle(t), radius_of(t)));
    upper = min(upper, field_upper(s, p) + slack);
    // From outside the domain, the surface as seen from the nearest point of the domain.
    vec3 g = field_clamp(p);
    vec3 q = (s.in_domain ? p : field_origin() + g * field.cell) + s.direction * abs(field_at(g).x);
    ProximityAnswer a;
    a.distance = s.distance;
    a.lower = min(lower, upper);
    a.upper = upper;
    a.triangle = start.triangle;
    a.barycentric = floats(weights);
    a.in_domain = s.in_domain ? 1 : 0;
    a.point = floats(p);
    a.closest = floats(q);
    a.direction = floats(s.in_domain ? s.direction : normalize(q - p));
    answers[0] = a;
}
