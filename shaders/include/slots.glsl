// Where crossings are put: the first four of a ray and mesh into its slots, the others into its list. The including kernel names the
// bindings. Partner: query/ldi.rs.
//
// group slots

layout(std430, binding = COUNTS) buffer Counts { uint counts[]; };
layout(std430, binding = DEPTHS) buffer Depths { float slot_depths[]; };
layout(std430, binding = TAGS) buffer Tags { uint slot_tags[]; };
