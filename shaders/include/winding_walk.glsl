// A walk along all crossings of a ray of one mesh, with its winding number. Needs crossings_walk.glsl.

#define BEYOND uintBitsToFloat(0x7f800000u)

struct WindingWalk {
    Crossings at;
    int winding;
};

int change_of(uint tag) { return (tag & ENTERS) != 0 ? 1 : -1; }

// From above, what a ray crosses tells where it starts.
WindingWalk walk(uint ray, bool from_above)
{
    WindingWalk w = WindingWalk(crossings_of(ray), 0);
    if (from_above)
        for (Crossings at = w.at; !is_over(at); step_on(at)) w.winding -= change_of(tag_of(at));
    return w;
}
float next_depth(WindingWalk w) { return is_over(w.at) ? BEYOND : depth_of(w.at); }
bool is_inside(WindingWalk w) { return w.winding != 0; }
void pass(inout WindingWalk w)
{
    w.winding += change_of(tag_of(w.at));
    step_on(w.at);
}
