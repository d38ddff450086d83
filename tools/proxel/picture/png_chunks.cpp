#include "picture/png_chunks.hpp"

#include "failure.hpp"

#include <zlib.h>

namespace cli {

void append_u32(std::string& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((value >> shift) & 0xffu);
}

void append_chunk(std::string& out, const std::string& kind, const std::string& data) {
    append_u32(out, static_cast<std::uint32_t>(data.size()));
    const std::string summed = kind + data;
    out += summed;
    append_u32(out, static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(summed.data()), summed.size())));
}

std::string packed(const std::vector<std::uint8_t>& rows) {
    uLongf size = compressBound(static_cast<uLong>(rows.size()));
    std::string out(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, rows.data(), static_cast<uLong>(rows.size()), Z_DEFAULT_COMPRESSION) != Z_OK)
        throw Failure("the picture cannot be packed.");
    out.resize(size);
    return out;
}

} // namespace cli
