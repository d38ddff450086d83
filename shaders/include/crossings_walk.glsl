// A walk along all crossings of a ray in their order, once spans.comp has sorted the lists. Needs rays.glsl and slots_view.glsl.

struct Crossings {
    Few few;
    uint node;
    // In the slots; a ray with a list has none.
    uint left;
};

Crossings crossings_of(uint ray)
{
    uint count = count_of(ray);
    if (count > SLOTS) return Crossings(Few(vec4(0.0), uvec4(0)), heads[ray] >> 1, 0);
    return Crossings(sorted_slots(ray), NIL, count);
}
bool is_over(Crossings c) { return c.left == 0 && c.node == NIL; }
float depth_of(Crossings c) { return c.left > 0 ? c.few.depth.x : node_depth(c.node); }
uint tag_of(Crossings c) { return c.left > 0 ? c.few.tag.x : node_tag(c.node); }
void step_on(inout Crossings c)
{
    if (c.left > 0) {
        c.few = Few(c.few.depth.yzww, c.few.tag.yzww);
        --c.left;
    } else {
        c.node = node_next(c.node);
    }
}
