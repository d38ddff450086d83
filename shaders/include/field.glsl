// Sampling a signed distance field. One of these is defined:
//   FIELD_DIRECTION  distance in alpha, the way outwards in rgb (Morvan et al. 2008, section 3.1, has the way to the surface)
//   FIELD_DISTANCE   distance only; the direction is the texture's gradient (section 6)
//   FIELD_SPARSE     bricks of full resolution near the surface over a coarse grid everywhere (section 6)
// Bindings start at FIELD_BINDING. Partner: field/texture.rs.

struct FieldParams {
    float origin[3];
    float cell;
    uint nodes[3];
    float error;
    uint bricks[3];
    float coarse_error;
    uint atlas[3];
    uint brick_cells;
    float rounding;
    float band;
    float pad0;
    float pad1;
};

layout(std430, binding = FIELD_BINDING) readonly buffer Field { FieldParams field; };

#ifdef FIELD_SPARSE
layout(binding = FIELD_BINDING + 1) uniform sampler3D field_atlas;
layout(binding = FIELD_BINDING + 2) uniform sampler3D field_coarse;
layout(std430, binding = FIELD_BINDING + 3) readonly buffer FieldTable { uint field_table[]; };
#else
layout(binding = FIELD_BINDING + 1) uniform sampler3D field_texture;
#endif

vec3 field_origin() { return vec3(field.origin[0], field.origin[1], field.origin[2]); }
vec3 field_cells() { return vec3(field.nodes[0], field.nodes[1], field.nodes[2]) - 1.0; }

// A position in cells from the first node, inside the domain.
vec3 field_clamp(vec3 p) { return clamp((p - field_origin()) / field.cell, vec3(0.0), field_cells()); }

#ifdef FIELD_SPARSE
// Distance and error bound at `g` cells from the first node.
vec2 field_at(vec3 g)
{
    float size = float(field.brick_cells);
    uvec3 bricks = uvec3(field.bricks[0], field.bricks[1], field.bricks[2]);
    uvec3 brick = min(uvec3(g / size), bricks - 1);
    uint slot = field_table[(brick.z * bricks.y + brick.y) * bricks.x + brick.x];
    if (slot == 0) {
        vec3 uvw = (g / size + 0.5) / (vec3(bricks) + 1.0);
        return vec2(textureLod(field_coarse, uvw, 0.0).x, field.coarse_error);
    }
    uvec3 atlas = uvec3(field.atlas[0], field.atlas[1], field.atlas[2]);
    uint at = slot - 1;
    uvec3 place = uvec3(at % atlas.x, (at / atlas.x) % atlas.y, at / (atlas.x * atlas.y));
    vec3 texel = vec3(place) * (size + 1.0) + (g - vec3(brick) * size) + 0.5;
    return vec2(textureLod(field_atlas, texel / (vec3(atlas) * (size + 1.0)), 0.0).x, field.error);
}
#else
vec4 field_texel(vec3 g) { return textureLod(field_texture, (g + 0.5) / (field_cells() + 1.0), 0.0); }
vec2 field_at(vec3 g)
{
#ifdef FIELD_DIRECTION
    return vec2(field_texel(g).w, field.error);
#else
    return vec2(field_texel(g).x, field.error);
#endif
}
#endif

// Unit vector from `g` towards the closest point of the surface, or zero where the field does not tell.
vec3 field_direction(vec3 g, float value)
{
#ifdef FIELD_DIRECTION
    vec3 outwards = field_texel(g).xyz;
#else
    // Central differences: one-sided ones would bias every sample the same way.
    vec3 last = field_cells();
    vec3 outwards;
    for (int axis = 0; axis < 3; ++axis) {
        vec3 step = vec3(axis == 0, axis == 1, axis == 2);
        outwards[axis] = field_at(min(g + step, last)).x - field_at(max(g - step, vec3(0.0))).x;
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
    vec3 direction;
};

// The field at `p`, certified: lower <= true distance <= upper.
FieldSample sample_field(vec3 p)
{
    vec3 g = field_clamp(p);
    vec3 nearest = field_origin() + g * field.cell;
    vec2 value = field_at(g);
    float slack = value.y + field.rounding * length(p);
    float outside = length(p - nearest);
    FieldSample s;
    s.direction = field_direction(g, value.x);
    s.in_domain = all(greaterThanEqual(p, field_origin())) &&
                  all(lessThanEqual(p, field_origin() + field_cells() * field.cell));
    if (s.in_domain) {
        s.distance = value.x;
        // A saturated value only says that the surface is no nearer than the band.
        bool saturated = abs(value.x) + slack >= field.band;
        float infinity = uintBitsToFloat(0x7f800000u);
        s.lower = saturated && value.x < 0.0 ? -infinity : value.x - slack;
        s.upper = saturated && value.x > 0.0 ? infinity : value.x + slack;
    } else {
        // The surface lies inside the domain, which is convex: seen from the nearest point of the domain it is not
        // on p's side, so by Pythagoras |p - m|^2 >= |p - nearest|^2 + D(nearest)^2 for every m of the surface.
        s.distance = sqrt(outside * outside + max(value.x, 0.0) * max(value.x, 0.0));
        float inner = max(value.x - slack, 0.0);
        s.lower = max(sqrt(outside * outside + inner * inner) - slack, 0.0);
        s.upper = abs(value.x) + slack >= field.band ? uintBitsToFloat(0x7f800000u) : outside + value.x + 2.0 * slack;
    }
    return s;
}
