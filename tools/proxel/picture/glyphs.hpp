// The letters of the pictures, ASCII 32 to 126, as dots on a grid of 5 by 9: seven rows above the base line, two below.
#pragma once

#include <array>

namespace cli {

constexpr int glyph_columns = 5;
constexpr int glyph_rows = 9;
constexpr int glyph_height = 7; // of a capital, from the base line up

struct Glyph {
    std::array<std::array<bool, glyph_columns>, glyph_rows> dots{};
    int first_column = 0; // of the columns that have dots
    int width = 3;        // how many columns from there; a space has 3
};

// Characters that have no glyph look like '?'.
const Glyph& glyph(char c);

} // namespace cli
