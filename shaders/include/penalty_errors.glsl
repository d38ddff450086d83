// What the force and the torques of a cell can be off by, at a stiffness of 1. Needs field.glsl and penalty.glsl. Partner: query/penalty/errors.rs, which
// derives it.

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
    FieldSample s = sample_field(p);
    return max(max(s.lower, -s.upper), 0.0);
}

// The mean of the squares of least distances at the corners, all moved.
float mean_square(vec3 p, Cell cell, float off)
{
    vec3 d = vec3(least_distance(p + cell.corners[0]), least_distance(p + cell.corners[1]), least_distance(p + cell.corners[2]));
    d = max(d - off, vec3(0.0));
    return dot(d, d) / 3.0;
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
    float sum = 0.0;
    // One turn per axis and no loop within: drivers bound how many turns all loops take together.
    for (int i = 0; i < 3; ++i) {
        vec2 bounds = (square * 1.000002 - vec2(mean_square(p + h * axis, cell, off), mean_square(p - h * axis, cell, off))) / (2.0 * h);
        float told_of = i == 0 ? depth : 0.0;
        float most = max(max(bounds.x - told_of, bounds.y + told_of), 0.0);
        sum += most * most;
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
