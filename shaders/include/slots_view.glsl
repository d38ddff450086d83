// The slots of a ray, as add_crossing.glsl left them: how many crossings there are, and the first four in the order of their making. A
// slot without one is at infinity. The including kernel names the bindings.
//
// group slots
#include "fetch.glsl"

#ifdef TEXEL
layout(binding = COUNTS) uniform usamplerBuffer counts;
layout(binding = DEPTHS) uniform samplerBuffer depths;
layout(binding = TAGS) uniform usamplerBuffer tags;
uint count_of(uint ray) { return texelFetch(counts, int(ray)).x; }
vec4 depths_of(uint ray) { return texelFetch(depths, int(ray)); }
uvec4 tags_of(uint ray) { return texelFetch(tags, int(ray)); }
#else
layout(std430, binding = COUNTS) readonly buffer Counts { uint counts[]; };
layout(std430, binding = DEPTHS) readonly buffer Depths { vec4 slot_depths[]; };
layout(std430, binding = TAGS) readonly buffer Tags { uvec4 slot_tags[]; };
uint count_of(uint ray) { return counts[ray]; }
vec4 depths_of(uint ray) { return slot_depths[ray]; }
uvec4 tags_of(uint ray) { return slot_tags[ray]; }
#endif

// Up to four crossings, in registers.
struct Few {
    vec4 depth;
    uvec4 tag;
};

void order(inout Few few, int i, int j)
{
    bool swap = few.depth[j] < few.depth[i]
             || (few.depth[j] == few.depth[i] && (few.tag[j] ^ ENTERS) < (few.tag[i] ^ ENTERS));
    float depth = few.depth[i];
    uint tag = few.tag[i];
    few.depth[i] = swap ? few.depth[j] : depth;
    few.tag[i] = swap ? few.tag[j] : tag;
    few.depth[j] = swap ? depth : few.depth[j];
    few.tag[j] = swap ? tag : few.tag[j];
}

// The crossings of a ray that has no more than its slots hold, in the order of sort.glsl.
Few sorted_slots(uint ray)
{
    Few few = Few(depths_of(ray), tags_of(ray));
    order(few, 0, 1);
    order(few, 2, 3);
    order(few, 0, 2);
    order(few, 1, 3);
    order(few, 1, 2);
    return few;
}
