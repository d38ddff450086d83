// A cut through a scalar field, such as a signed distance: tinted as maps are, one tint between two lines of equal
// value, and a heavy line where the value is zero.
#pragma once

#include "picture/image.hpp"

#include <string>
#include <vector>

namespace cli {

struct Slice {
    std::string title;
    std::string caption;
    int columns = 0;
    int rows = 0;
    std::vector<float> values; // row by row, the lowest row first; what is not finite stays grey
    float width = 1.0f;        // of the cut, in the world's units
    float height = 1.0f;
    float range = 0.0f;  // the value of the deepest colours; 0 for the largest in the cut
    float extent = 0.0f; // what the panel's side stands for, so that cuts can have one scale; 0 to fill it
    std::string right;   // names of the axes, if they have any
    std::string up;
    std::string above; // what values above and below zero are called on the scale, if anything
    std::string below;
    bool has_scale = true;
};

// From deep amber (-1, inside) over white (0) to deep blue (1, outside); equal steps look equal, and both sides alike.
Colour diverging_colour(float t);

// The colour of a value, in steps: one tint between two contour lines.
Colour tint(float value, float range);

// A bar of those colours from -range to range, with numbers beside it.
struct Scale {
    float range = 1.0f;
    std::string above; // what values above and below zero are called
    std::string below;
};
void draw_scale(const Scale& scale, Image& image, Rectangle where, float letter);

// The step between contour lines: 1, 2 or 5 times a power of ten, about ten within `range`.
float contour_step(float range);

// Draws the field and its scale so that they fill the rectangle. Throws Failure if the slice has no values.
void render(const Slice& slice, Image& image, Rectangle where);

} // namespace cli
