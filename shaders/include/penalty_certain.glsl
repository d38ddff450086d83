// What is certain of a cluster, from the middles and corners of its triangles. Partner: query/penalty/raster.rs.
struct PenaltyCertain {
    // The deepest of these samples, and its depth.
    vec4 deepest;
    // Areas: surely and possibly inside.
    vec2 areas;
    // The integral of the depth over the area inside lies between these.
    vec2 integrals;
    // No point is deeper than the first; one is at least as deep as the second.
    vec2 depths;
    vec2 pad;
};

PenaltyCertain nothing_certain() { return PenaltyCertain(vec4(0.0), vec2(0.0), vec2(0.0), vec2(0.0), vec2(0.0)); }
