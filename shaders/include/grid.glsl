// The frame as the ways of making a layered depth image use it. Needs frame.glsl and `summary`. Partner: query/ldi.rs.

// What a kernel needs of the frame, read once: software devices pay for every read of a storage buffer.
struct Grid {
    vec3 origin;
    vec3 scale;
    vec3 slack;
    uvec2 sides;
    uint bins;
    uint axis;
};

Grid load_grid()
{
    Grid grid;
    grid.origin = vec3(summary.frame.origin[0], summary.frame.origin[1], summary.frame.origin[2]);
    grid.scale = vec3(summary.frame.scale[0], summary.frame.scale[1], summary.frame.scale[2]);
    grid.slack = vec3(summary.frame.slack[0], summary.frame.slack[1], summary.frame.slack[2]);
    grid.sides = uvec2(summary.frame.width, summary.frame.height);
    grid.bins = summary.frame.bins;
    grid.axis = summary.frame.axis;
    return grid;
}

// The rays at or after a coordinate, and at or before one. Clamped twice: a float that is no number must not become an index
// outside the frame.
int first_at(float x, uint side) { return clamp(int(ceil(clamp(x, 0.0, float(side)))), 0, int(side)); }
int last_at(float x, uint side) { return clamp(int(floor(clamp(x, -1.0, float(side - 1)))), -1, int(side) - 1); }

// Whether a triangle does not matter: it passes beside all columns, or lies wholly beyond what is kept.
bool is_outside(vec3 a, vec3 b, vec3 c, Grid grid, vec2 kept)
{
    vec3 low = min(a, min(b, c)), high = max(a, max(b, c));
    vec2 slack = 1.0 + grid.slack.xy;
    return any(lessThan(high.xy, -slack)) || any(greaterThan(low.xy, vec2(grid.sides) + slack - 1.0))
        || high.z + grid.slack.z < kept.x || low.z - grid.slack.z > kept.y;
}
