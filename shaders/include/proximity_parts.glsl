// A part of a piece of a triangle, and what the field says of it. Needs field.glsl, meeting.glsl and proximity.glsl.

struct PartBounds {
    float lower;
    float upper;
    bool small;
};

// Of part `part` of the piece of a triangle at the end of a path; `least` is a lower bound of the piece.
PartBounds bound_part(Meeting meeting, uint triangle, uint path, uint level, uint part, float least)
{
    Corners whole = piece_of(load_triangle(meeting, triangle), path, level);
    Corners t = part_of(whole, part);
    vec3 p = placed(meeting, middle(t));
    FieldSample s = sample_field(p);
    // The sphere of the triangle's cluster is not at hand; the corners tell as much.
    float slack = placing_error(meeting, vec4(middle(t), radius_of(whole))), radius = radius_of(t);
    PartBounds bounds;
    bounds.lower = max(least, s.lower - slack - radius);
    bounds.upper = field_upper(s, p) + slack;
    bounds.small = is_small(p, radius, bounds.lower, bounds.upper);
    return bounds;
}
