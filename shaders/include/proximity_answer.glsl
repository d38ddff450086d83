// The end of every path of proximity: a short descent from the best sample within its triangle, and the answer. The first lane of a
// workgroup calls it, or with TOGETHER all LANES = 64 do. Needs proximity.glsl.
#include "floats.glsl"

#include "proximity_result.glsl"

layout(std430, binding = 5) writeonly buffer Answers { ProximityAnswer answers[]; };

vec3 point_at(Corners t, vec3 weights) { return placed(query.meeting, weights.x * t.a + weights.y * t.b + weights.z * t.c); }

float upper_at(Corners t, vec3 weights)
{
    vec3 p = point_at(t, weights);
    return field_upper(sample_field(p), p);
}

#ifdef TOGETHER
#include "descend_together.glsl"
#else
#include "descend_alone.glsl"
#endif

// Where the descent starts: a triangle, the weights of its corners, and the first step.
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
