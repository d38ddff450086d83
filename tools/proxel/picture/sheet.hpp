// A picture of one or more panels in a grid, each with its title, caption and legend.
#pragma once

#include "picture/slice.hpp"
#include "picture/view.hpp"

#include <variant>
#include <vector>

namespace cli {

using Panel = std::variant<View, Slice>;

// Each panel is `width` by `height` pixels; they fill rows of `columns` panels.
Image draw_sheet(const std::vector<Panel>& panels, int columns, int width = 1200, int height = 900);

} // namespace cli
