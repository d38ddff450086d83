// Contacts in a picture: where two surfaces touch, in which direction they push, and which contacts belong together.
#pragma once

#include "picture/view.hpp"

#include <cstdint>
#include <vector>

namespace cli {

// Contacts in the world, one place in each list for each contact.
struct ContactMarks {
    std::vector<Vec3> points_a;
    std::vector<Vec3> points_b;
    std::vector<Vec3> normals;           // unit vectors from A to B
    std::vector<std::uint32_t> patches; // contacts of one patch have one colour
};

// The colour of a patch: those of neighbouring numbers differ in hue and lightness.
Colour patch_colour(std::uint32_t patch);

// Adds for each contact a dot on either surface, a segment between them and an arrow along the normal, and for each patch a line
// in the legend; beyond six patches one line for the rest. Arrows are an eighth of the size of what the view shows. Throws Failure
// if the lists differ in length.
void mark_contacts(View& view, const ContactMarks& contacts);

} // namespace cli
