// Sampling a signed distance field:
//   FIELD_DIRECTION  distance in alpha, the direction outwards in rgb (Morvan et al. 2008, section 3.1: that to the surface)
//   FIELD_DISTANCE   distance only; the direction is the texture's gradient (section 6)
//   FIELD_SPARSE     bricks of full resolution near the surface over a coarse grid everywhere (section 6)
// Bindings start at FIELD_BINDING. Partner: field/texture.rs.
//
// axis sampling: direction=FIELD_DIRECTION distance=FIELD_DISTANCE sparse=FIELD_SPARSE
// group field

#include "filter_steps.glsl"

struct FieldParams {
    vec3 origin;         // the first node
    float cell;          // from one node to the next
    uvec3 nodes;         // along each axis
    float error;         // bound on the sampled value's error, anywhere
    uvec3 bricks;        // along each axis
    float coarse_filter; // what sampling adds to the error bound of a coarse cell, beyond what it adds elsewhere
    uvec3 atlas;         // its bricks along each axis, or zero
    uint brick_cells;    // along the side of a brick
    float rounding;      // error per length of the sampled position
    float band;          // where distances saturate
    uint outside;        // what is known beyond the domain: FIELD_OUTSIDE_*
    float sampling;      // what sampling adds to the error bound of a brick
};

layout(std140, binding = FIELD_BINDING) uniform FieldParameters { FieldParams field_given; };
// Once and not at each use: software devices read uniforms a lane at a time, and again in every turn of a loop.
FieldParams field = field_given;
// After the parameters two error bounds for each brick: in its inner cells, and in those along its faces.
layout(std430, binding = FIELD_BINDING + 4) readonly buffer FieldErrors { FieldParams field_head; float field_errors[]; };

// What is known beyond the domain; partner: Outside in field/data.rs.
const uint FIELD_OUTSIDE_CLEAR = 0;
const uint FIELD_OUTSIDE_UNSIGNED = 1;

#ifdef FIELD_SPARSE
layout(binding = FIELD_BINDING + 1) uniform sampler3D field_atlas;
layout(binding = FIELD_BINDING + 2) uniform sampler3D field_coarse;
layout(std430, binding = FIELD_BINDING + 3) readonly buffer FieldTable { uint field_table[]; };
#else
layout(binding = FIELD_BINDING + 1) uniform sampler3D field_texture;
#endif

vec3 field_origin() { return field.origin; }
vec3 field_cells() { return vec3(field.nodes) - 1.0; }

// A position in cells from the first node, inside the domain.
vec3 field_clamp(vec3 p) { return clamp((p - field_origin()) / field.cell, vec3(0.0), field_cells()); }

uvec3 field_brick(vec3 g)
{
    uvec3 bricks = field.bricks;
    return min(uvec3(g / float(field.brick_cells)), bricks - 1);
}
uint field_brick_index(uvec3 brick) { return (brick.z * field.bricks[1] + brick.y) * field.bricks[0] + brick.x; }

#ifdef FIELD_SPARSE
// The distance at `g` cells from the first node.
float field_value(vec3 g)
{
    float size = float(field.brick_cells);
    uvec3 brick = field_brick(g);
    uint slot = field_table[field_brick_index(brick)];
    if (slot == 0) {
        vec3 count = vec3(field.bricks) + 1.0;
        return textureLod(field_coarse, (stepped(g / size) + 0.5) / count, 0.0).x;
    }
    uvec3 atlas = field.atlas;
    uint at = slot - 1;
    uvec3 place = uvec3(at % atlas.x, (at / atlas.x) % atlas.y, at / (atlas.x * atlas.y));
    vec3 texel = vec3(place) * (size + 1.0) + stepped(g - vec3(brick) * size) + 0.5;
    return textureLod(field_atlas, texel / (vec3(atlas) * (size + 1.0)), 0.0).x;
}
#else
vec4 field_texel(vec3 g) { return textureLod(field_texture, (stepped(g) + 0.5) / (field_cells() + 1.0), 0.0); }
#ifdef FIELD_DIRECTION
float field_value(vec3 g) { return field_texel(g).w; }
#else
float field_value(vec3 g) { return field_texel(g).x; }
#endif
#endif

// The bound on the error of the value at `g`. A point between inner and outer cells, or that rounding may move there, is
// taken for an outer one.
float field_error(vec3 g)
{
    uvec3 brick = field_brick(g);
    float size = float(field.brick_cells);
    vec3 local = abs(g - (vec3(brick) + 0.5) * size);
    float slack = 1e-6 * (field_cells().x + field_cells().y + field_cells().z);
    bool inner = max(local.x, max(local.y, local.z)) < 0.5 * size - 1.0 - slack;
    uint at = field_brick_index(brick);
    float error = field_errors[2 * at + (inner ? 0 : 1)];
#ifdef FIELD_SPARSE
    if (field_table[at] == 0) error += field.coarse_filter;
#endif
    return error + field.sampling;
}

// Distance and error bound at `g`.
vec2 field_at(vec3 g) { return vec2(field_value(g), field_error(g)); }

// Unit vector from `g` towards the closest point of the surface, or zero where the field does not tell.
vec3 field_direction(vec3 g, float value)
{
#ifdef FIELD_DIRECTION
    vec3 outwards = field_texel(g).xyz;
#else
    // Central differences: one-sided ones would bias every sample the same way. At the rim of the domain the step is shorter.
    vec3 last = field_cells();
    vec3 outwards;
    for (int axis = 0; axis < 3; ++axis) {
        vec3 step = vec3(axis == 0, axis == 1, axis == 2);
        vec3 ahead = min(g + step, last), behind = max(g - step, vec3(0.0));
        outwards[axis] = (field_value(ahead) - field_value(behind)) / (ahead[axis] - behind[axis]);
    }
#endif
    vec3 towards = value < 0.0 ? outwards : -outwards;
    float size = length(towards);
    return size > 0.0 ? towards / size : vec3(0.0);
}

struct FieldSample {
    float distance;
    float lower;
    float upper;
    bool in_domain;
    bool interior; // by the value at the domain's nearest point
    vec3 direction;
};

// The field at `p` without a direction, where the domain's nearest point `g` has `value`.
FieldSample bounded_field(vec3 p, vec3 g, float value)
{
    const float infinity = uintBitsToFloat(0x7f800000u);
    vec3 nearest = field_origin() + g * field.cell;
    float slack = field_error(g) + field.rounding * length(p);
    FieldSample s;
    s.direction = vec3(0.0);
    s.interior = value < 0.0;
    s.in_domain = all(greaterThanEqual(p, field_origin())) &&
                  all(lessThanEqual(p, field_origin() + field_cells() * field.cell));
    // A saturated value only says that the surface is no nearer than the band.
    bool saturated = abs(value) + slack >= field.band;
    s.lower = saturated && value < 0.0 ? -infinity : value - slack;
    s.upper = saturated && value > 0.0 ? infinity : value + slack;
    s.distance = value;
    if (!s.in_domain) {
        // No distance changes by more than a point moves.
        float outside = length(p - nearest);
        // Not from the uniforms: lavapipe compiles a kernel anew whenever it binds uniforms that branches depend on.
        uint outside_kind = field_head.outside;
        s.lower -= outside + slack;
        s.upper += outside + slack;
        if (outside_kind <= FIELD_OUTSIDE_UNSIGNED) {
            // The surface lies inside the domain, which is convex: seen from the nearest point of the domain it is not
            // on p's side, so by Pythagoras |p - m|^2 >= |p - nearest|^2 + D(nearest)^2 for every m of the surface.
            float inner = max(abs(value) - slack, 0.0);
            float clear = max(sqrt(outside * outside + inner * inner) - slack, 0.0);
            s.upper = saturated ? infinity : outside + abs(value) + 2.0 * slack;
            s.lower = outside_kind == FIELD_OUTSIDE_CLEAR ? clear : -s.upper;
        }
        s.distance = s.lower;
    }
    return s;
}

// The field at `p`, certified: lower <= true distance <= upper. Outside the domain the distance is the lower bound, and the
// direction that of the domain's nearest point.
FieldSample sample_field(vec3 p)
{
    vec3 g = field_clamp(p);
    float value = field_value(g);
    FieldSample s = bounded_field(p, g, value);
    s.direction = field_direction(g, value);
    return s;
}

// From `p` to where the domain's nearest point sees the surface.
vec3 surface_seen(FieldSample s, vec3 p)
{
    vec3 g = field_clamp(p);
    return field_origin() + g * field.cell + abs(field_value(g)) * s.direction - p;
}

// What is nearest to the distance between its bounds: outside the domain that to where its nearest point sees the surface.
float field_estimate(FieldSample s, vec3 p)
{
    return s.in_domain || field_head.outside != FIELD_OUTSIDE_CLEAR ? s.distance : length(surface_seen(s, p));
}

// The unit vector from `p` to the surface: outside the domain to where the domain's nearest point sees it.
vec3 towards_surface(FieldSample s, vec3 p)
{
    if (s.in_domain) return s.direction;
    vec3 seen = surface_seen(s, p);
    return length(seen) > 0.0 ? normalize(seen) : s.direction;
}
