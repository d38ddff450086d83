// The spans of rays, as spans.comp leaves them: (enters, leaves) twice. What there is not is at infinity. A ray with more has its
// first pair turned round, and is walked along its list. The including kernel names the binding.
#include "fetch.glsl"

#ifdef TEXEL
layout(binding = SPANS) uniform samplerBuffer spans;
vec4 spans_of(uint ray) { return texelFetch(spans, int(ray)); }
#else
layout(std430, binding = SPANS) readonly buffer Spans { vec4 spans[]; };
vec4 spans_of(uint ray) { return spans[ray]; }
#endif

bool is_long(vec4 own) { return own.x > own.y; }
