// What a PNG file is made of: numbers, chunks with their checksums, packed rows (ISO/IEC 15948).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cli {

constexpr const char* png_signature = "\x89PNG\r\n\x1a\n";

// The most significant byte first.
void append_u32(std::string& out, std::uint32_t value);

void append_chunk(std::string& out, const std::string& kind, const std::string& data);

// As zlib packs them.
std::string packed(const std::vector<std::uint8_t>& rows);

} // namespace cli
