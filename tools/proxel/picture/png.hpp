// Writes pictures as PNG files.
#pragma once

#include "picture/image.hpp"

#include <string>

namespace cli {

std::string encode_png(const Image& image);

// Refuses a name that ends as another format's.
void write_png(const std::string& path, const Image& image);

} // namespace cli
