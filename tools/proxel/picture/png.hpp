// Writes pictures as PNG (ISO/IEC 15948).
#pragma once

#include "picture/image.hpp"

#include <string>
#include <string_view>

namespace cli {

std::uint32_t crc32(std::string_view bytes);

// What PNG files are made of: numbers with their high byte first, and chunks with a length, a kind and a checksum.
void append_u32(std::string& out, std::uint32_t value);
void append_chunk(std::string& out, const std::string& kind, const std::string& data);

std::string encode_png(const Image& image);

void write_png(const std::string& path, const Image& image);

} // namespace cli
