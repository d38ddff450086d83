// Writes pictures as PNG (ISO/IEC 15948).
#pragma once

#include "picture/image.hpp"

#include <string>
#include <string_view>

namespace cli {

std::uint32_t crc32(std::string_view bytes);

std::string encode_png(const Image& image);

void write_png(const std::string& path, const Image& image);

} // namespace cli
