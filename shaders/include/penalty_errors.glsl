// What the force and the torques of a cell can be off by, at a stiffness of 1. Needs field.glsl and penalty.glsl. Partner: query/penalty/errors.rs, which
// derives it.

// Turns of a loop that a cell takes: some drivers bound how many all loops take together.
#define WAY_TURNS 18

// A cell of a triangle, placed.
struct Cell {
    float area;
    float radius;
    float spread;
    // Its corners from its middle.
    vec3 corners[3];
    // What its area can be off by.
    float area_error;
};

// Lower bound of the distance of a place from the surface.
float least_distance(vec3 p)
{
    vec3 g = field_clamp(p);
    FieldSample s = bounded_field(p, g, field_value(g));
    return max(max(s.lower, -s.upper), 0.0);
}

// How far the mean of the way to the surface can be from `depth` along `direction`, for a cell with all of its places inside.
float way_error(vec3 p, FieldSample s, Cell cell, float depth, float slack)
{
    vec3 c0 = cell.corners[0], c1 = cell.corners[1], c2 = cell.corners[2];
    float size = (dot(c0, c0) + dot(c1, c1) + dot(c2, c2)) / 3.0;
    float doubt = 0.5 * (s.upper - s.lower) + 2.0 * slack;
    float h = sqrt(size + 4.0 * depth * doubt);
    float off = 2.0 * slack + 4e-6 * (cell.radius + h);
    float farthest = slack - s.lower;
    float square = size + 2.0 * off * cell.radius + off * off + h * h + farthest * farthest;
    bool told = dot(s.direction, s.direction) > 0.5;
    vec3 along = told ? s.direction : vec3(1.0, 0.0, 0.0);
    if (!told) depth = 0.0;
    vec3 across = normalize(cross(along, abs(along.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
    vec3 axis = along, next = across;
    float sum = 0.0, most = 0.0, squares = 0.0;
    // Along three axes, both ways, three corners each. The field is read in one place of the text: drivers put functions into every place that
    // calls them, and one of them took minutes and gigabytes for six.
    for (int i = 0; i < WAY_TURNS; ++i) {
        int corner = i % 3;
        bool back = i % 6 > 2;
        vec3 c = corner == 0 ? c0 : corner == 1 ? c1 : c2;
        float d = max(least_distance(p + (back ? -h : h) * axis + c) - off, 0.0);
        squares += d * d;
        if (corner != 2) continue;
        float told_of = i > 5 ? 0.0 : back ? depth : -depth;
        most = max(most, (square * 1.000002 - squares * (1.0 / 3.0)) / (2.0 * h) + told_of);
        squares = 0.0;
        if (!back) continue;
        sum += most * most;
        most = 0.0;
        axis = next;
        next = cross(along, across);
    }
    return sqrt(sum) * 1.0001;
}

// Of a cell of which something may be inside; `depth` is what was added for it, or nothing.
vec3 errors_of(vec3 p, FieldSample s, Cell cell, float depth, float slack)
{
    float inside = max(-s.lower, 0.0) + cell.spread + slack;
    float off = inside + depth, turned_off = cell.radius * off;
    if (s.in_domain && s.upper + cell.radius + slack < 0.0) {
        float way_off = way_error(p, s, cell, depth, slack);
        if (way_off < off) {
            off = way_off;
            turned_off = cell.spread * (slack - s.lower + cell.spread);
        }
    }
    off += 4e-6 * depth;
    turned_off += (slack + 4e-6 * cell.radius) * depth;
    float area = cell.area + cell.area_error;
    if (area == 0.0) return vec3(0.0);
    float force = area * off + cell.area_error * (inside + depth);
    vec2 arms = vec2(length(p - query.centre.xyz), length(p - query.mesh_centre.xyz)) + slack;
    return vec3(force, force * arms * 1.00001 + area * turned_off);
}
