#include "picture/png.hpp"

#include "failure.hpp"
#include "mesh/file_bytes.hpp"
#include "picture/deflate.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>

namespace cli {
namespace {

// The five predictions of a byte from its left, upper and upper-left neighbours (ISO/IEC 15948, 9.2).
int predicted(int filter, int left, int up, int corner) {
    if (filter == 1) return left;
    if (filter == 2) return up;
    if (filter == 3) return (left + up) / 2;
    if (filter != 4) return 0;
    const int guess = left + up - corner;
    const int to_left = std::abs(guess - left);
    const int to_up = std::abs(guess - up);
    const int to_corner = std::abs(guess - corner);
    if (to_left <= to_up && to_left <= to_corner) return left;
    return to_up <= to_corner ? up : corner;
}

std::vector<std::uint8_t> filtered_row(const Image& image, int y, int filter) {
    const std::size_t bytes = 3 * static_cast<std::size_t>(image.width());
    const std::uint8_t* row = image.pixel(0, y);
    const std::uint8_t* above = y > 0 ? image.pixel(0, y - 1) : nullptr;
    std::vector<std::uint8_t> out{static_cast<std::uint8_t>(filter)};
    out.reserve(bytes + 1);
    for (std::size_t i = 0; i < bytes; ++i) {
        const int left = i >= 3 ? row[i - 3] : 0;
        const int up = above != nullptr ? above[i] : 0;
        const int corner = above != nullptr && i >= 3 ? above[i - 3] : 0;
        out.push_back(static_cast<std::uint8_t>(row[i] - predicted(filter, left, up, corner)));
    }
    return out;
}

// The usual guess at which filter packs best: the smallest sum of residuals, taken as signed.
long cost(const std::vector<std::uint8_t>& row) {
    long sum = 0;
    for (std::size_t i = 1; i < row.size(); ++i) sum += std::abs(static_cast<int>(static_cast<std::int8_t>(row[i])));
    return sum;
}

} // namespace

void append_u32(std::string& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((value >> shift) & 0xffu);
}

void append_chunk(std::string& out, const std::string& kind, const std::string& data) {
    append_u32(out, static_cast<std::uint32_t>(data.size()));
    out += kind + data;
    append_u32(out, crc32(kind + data));
}

std::uint32_t crc32(std::string_view bytes) {
    static const std::array<std::uint32_t, 256> table = [] {
        std::array<std::uint32_t, 256> t{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            t[i] = i;
            for (int k = 0; k < 8; ++k) t[i] = (t[i] & 1u) != 0 ? 0xedb88320u ^ (t[i] >> 1) : t[i] >> 1;
        }
        return t;
    }();
    std::uint32_t crc = 0xffffffffu;
    for (const char c : bytes) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xffu] ^ (crc >> 8);
    return ~crc;
}

std::string encode_png(const Image& image) {
    std::vector<std::uint8_t> rows;
    for (int y = 0; y < image.height(); ++y) {
        std::vector<std::uint8_t> best = filtered_row(image, y, 0);
        for (int filter = 1; filter < 5; ++filter) {
            std::vector<std::uint8_t> row = filtered_row(image, y, filter);
            if (cost(row) < cost(best)) best = std::move(row);
        }
        rows.insert(rows.end(), best.begin(), best.end());
    }
    std::string header;
    append_u32(header, static_cast<std::uint32_t>(image.width()));
    append_u32(header, static_cast<std::uint32_t>(image.height()));
    header += std::string("\x08\x02\x00\x00\x00", 5); // 8 bits, RGB, deflate, adaptive filters, not interlaced

    std::string out = "\x89PNG\r\n\x1a\n";
    append_chunk(out, "IHDR", header);
    append_chunk(out, "sRGB", std::string(1, '\0'));
    append_chunk(out, "IDAT", zlib_compress(rows));
    append_chunk(out, "IEND", "");
    return out;
}

void write_png(const std::string& path, const Image& image) {
    const std::string ending = std::filesystem::path(path).extension().string();
    if (!ending.empty() && ending != ".png" && ending != ".PNG")
        throw Failure(path + ": pictures are written as PNG; choose a name that ends in .png.");
    write_file_bytes(path, encode_png(image));
}

} // namespace cli
