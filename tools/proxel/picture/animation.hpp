// Writes moving pictures as animated PNG: browsers play them, and what cannot shows the first picture.
#pragma once

#include "picture/image.hpp"

#include <string>
#include <vector>

namespace cli {

// All frames have one size; there is at least one. They share a palette of 255 colours, so shades are rounded.
std::string encode_animation(const std::vector<Image>& frames, int frames_per_second);

void write_animation(const std::string& path, const std::vector<Image>& frames, int frames_per_second);

} // namespace cli
