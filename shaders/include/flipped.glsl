// Whether a view looks the other way along its axis: at a mesh whose box lies more behind the middle of the field's domain than before
// it. Then most of the mesh is nearer than the far side of the body, and not hidden by the near one. Needs `drawing`.
bool is_flipped(uint axis)
{
    float low = unordered(drawing.views.low[axis]), high = unordered(~drawing.views.high[axis]);
    return 0.5 * (low + high) > drawing.middle[axis];
}
