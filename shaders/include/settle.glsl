// Where on a feature a minimum is, more precisely than its values tell: interpolated values are smallest at the nodes and faces of cells, but
// slopes that are interpolated between nodes pass zero where the true ones do, up to the square of a cell. So what values have found is
// moved to where the slope along the feature is zero, by Newton's method. Needs contacts.glsl. Partner: query/contacts/side.rs.

// The unit vector along which the field rises.
vec3 slope_at(vec3 p)
{
    vec3 g = field_clamp(p);
    float value = field_value(g);
    vec3 towards = field_direction(g, value);
    return value < 0.0 ? towards : -towards;
}

// What bends less than this per cell is level: there is no one place to move to.
const float LEAST_BEND = 0.002;

// The step to where the slope is zero, in cells: only along what bends upwards, and no farther than a cell.
vec2 newton_step(vec2 slope, float a, float b, float c)
{
    float mean = 0.5 * (a + c), spread = length(vec2(0.5 * (a - c), b));
    vec2 first = vec2(0.5 * (a - c) + spread, b);
    first = dot(first, first) > 0.0 ? normalize(first) : vec2(0.0, 1.0);
    vec2 second = vec2(-first.y, first.x), step = vec2(0.0);
    if (mean + spread > LEAST_BEND) step -= dot(slope, first) / (mean + spread) * first;
    if (mean - spread > LEAST_BEND) step -= dot(slope, second) / (mean - spread) * second;
    return step / max(length(step), 1.0);
}

bool is_in_domain(vec3 p)
{
    return all(greaterThanEqual(p, field_origin())) && all(lessThanEqual(p, field_origin() + field_cells() * field.cell));
}

// The weights of the place that a minimum on an edge or in a face moves to; the same where it would leave the feature, or rise.
vec3 settled(uint kind, uint feature, uint triangle, vec3 weights)
{
    Corners t = placed_triangle(triangle);
    vec3 p = weights.x * t.a + weights.y * t.b + weights.z * t.c, b = t.b - t.a, c = t.c - t.a, n = cross(b, c);
    if (!(dot(n, n) > 0.0) || !(dot(b, b) > 0.0) || !is_in_domain(p)) return weights;
    uint from = feature % 3;
    vec3 along = from == 0 ? b : from == 1 ? c - b : -c;
    bool on_edge = kind == ON_EDGE;
    vec3 u = normalize(on_edge ? along : b), w = on_edge ? vec3(0.0) : cross(normalize(n), u);
    vec3 start = p, here = vec3(0.0), ahead = vec3(0.0);
    // Twice the slope at three places; one loop, because a device compiles what is sampled at each place anew.
    for (uint turn = 0; turn < 6; ++turn) {
        uint k = turn % 3;
        vec3 slope = slope_at(k == 0 ? p : p + field.cell * (k == 1 ? u : w));
        if (k == 0) here = slope;
        if (k == 1) ahead = slope - here;
        if (k == 2) {
            vec3 beside = slope - here;
            vec2 step = newton_step(vec2(dot(here, u), dot(here, w)), dot(ahead, u), 0.5 * (dot(ahead, w) + dot(beside, u)), dot(beside, w));
            p += field.cell * (step.x * u + step.y * w);
        }
    }
    vec3 moved = weights;
    if (on_edge) {
        float by = dot(p - start, along) / dot(along, along);
        moved[from] -= by;
        moved[(from + 1) % 3] += by;
        moved[(from + 2) % 3] = 0.0;
    } else {
        vec3 by = p - start, to_b = cross(c, n), to_c = cross(b, n);
        float second = dot(by, to_b) / dot(b, to_b), third = dot(by, to_c) / dot(c, to_c);
        moved += vec3(-second - third, second, third);
    }
    if (!(min(moved.x, min(moved.y, moved.z)) >= 0.0)) return weights;
    return value_of(p) <= value_of(start) + 0.05 * field.cell ? moved : weights;
}
