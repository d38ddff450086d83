// The second mesh in the frame of the first. Needs pair_search.glsl and `state`.
//
// A coordinate m1 x + m2 y + m3 z + t has errors of 2^-24 of each product for the matrix, which is rounded to single precision, and for the
// product, and of 2^-24 of the sum of magnitudes for each of three sums; with those of widening a box less than 7.5 times 2^-24 of it. `slack` is 8
// times that. What underflows in a row of the matrix adds TINY for each unit of a coordinate.

vec4 row_of(uint r) { return vec4(state.rows[4 * r], state.rows[4 * r + 1], state.rows[4 * r + 2], state.rows[4 * r + 3]); }

// How far from its place a coordinate of what has no larger coordinates than `most` can be.
float placing_error(vec4 row, vec3 most)
{
    vec3 size = abs(row.xyz) * most;
    return state.slack * (size.x + size.y + size.z + abs(row.w)) + TINY * (1.0 + most.x + most.y + most.z);
}

// A box around what is near what is in a box.
Box placed_box(vec3 low, vec3 high)
{
    Box box;
    vec3 most = max(abs(low), abs(high));
    for (uint r = 0; r < 3; ++r) {
        vec4 row = row_of(r);
        vec3 a = row.xyz * low, b = row.xyz * high;
        vec3 least = min(a, b), greatest = max(a, b);
        float wider = placing_error(row, most) + state.within;
        box.low[r] = least.x + least.y + least.z + row.w - wider;
        box.high[r] = greatest.x + greatest.y + greatest.z + row.w + wider;
    }
    return box;
}
