// Tests make filters coarser than the device's: steps between two voxels, or 0 for what the device does.
layout(constant_id = 1) const float FILTER_STEPS = 0.0;

// Where a coarse filter samples: weights are cut off to whole steps.
vec3 stepped(vec3 texel) { return FILTER_STEPS > 0.0 ? floor(texel * FILTER_STEPS) / FILTER_STEPS : texel; }
