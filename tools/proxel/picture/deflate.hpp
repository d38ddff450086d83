// DEFLATE (RFC 1951) inside a zlib envelope (RFC 1950): repeats within 32 KiB, fixed Huffman codes. Enough to keep
// pictures small without a dependency.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cli {

std::uint32_t adler32(const std::vector<std::uint8_t>& bytes);

std::string zlib_compress(const std::vector<std::uint8_t>& bytes);

} // namespace cli
