// How far a search goes on. Needs contacts.glsl.

// The most halvings of a step, and the step below which nothing is gained, as a part of the spacing of samples.
const float MOST_REFINEMENTS = 9.0;
const float LEAST_STEP = 1.0 / 512.0;

// Halvings of a first step of this length.
float refinements(float size) { return clamp(ceil(log2(size / (LEAST_STEP * query.spacing))), 1.0, MOST_REFINEMENTS); }
