// A vector for a struct in memory that has no gap after it.
float[3] floats(vec3 v) { return float[3](v.x, v.y, v.z); }
