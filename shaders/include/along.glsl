// Where a pose takes a point, without freedom to contract: every kernel that computes places by this finds the same bits.

float along(vec4 row, vec3 p)
{
    precise float value = row.x * p.x + row.y * p.y + row.z * p.z + row.w;
    return value;
}

vec3 moved_by(vec4 rows[3], vec3 p) { return vec3(along(rows[0], p), along(rows[1], p), along(rows[2], p)); }
