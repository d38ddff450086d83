#include "picture/png.hpp"

#include "failure.hpp"
#include "mesh/file_bytes.hpp"
#include "picture/png_chunks.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>

namespace cli {
namespace {

constexpr std::size_t channels = 3;

using Row = std::vector<std::uint8_t>;

// The guess that Paeth's filter makes from the pixels to the left, above, and above the left one.
int paeth(int left, int above, int corner) {
    const int from_left = std::abs(above - corner), from_above = std::abs(left - corner), from_corner = std::abs(left + above - 2 * corner);
    if (from_left <= from_above && from_left <= from_corner) return left;
    return from_above <= from_corner ? above : corner;
}

// A row as what is left of it after `filter` has guessed, behind the filter's number.
Row filtered(const Row& row, const Row& before, int filter) {
    Row out{static_cast<std::uint8_t>(filter)};
    out.reserve(1 + row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
        const int left = i < channels ? 0 : row[i - channels], above = before[i], corner = i < channels ? 0 : before[i - channels];
        const std::array<int, 5> guess{0, left, above, (left + above) / 2, paeth(left, above, corner)};
        out.push_back(static_cast<std::uint8_t>(row[i] - guess[static_cast<std::size_t>(filter)]));
    }
    return out;
}

// The filter that leaves the smallest differences packs best as a rule (ISO/IEC 15948, 12.7).
Row best_filtered(const Row& row, const Row& before) {
    Row best;
    long least = 0;
    for (int filter = 0; filter < 5; ++filter) {
        Row candidate = filtered(row, before, filter);
        long sum = 0;
        for (std::size_t i = 1; i < candidate.size(); ++i) sum += std::abs(static_cast<int>(static_cast<std::int8_t>(candidate[i])));
        if (!best.empty() && sum >= least) continue;
        least = sum;
        best = std::move(candidate);
    }
    return best;
}

} // namespace

std::string encode_png(const Image& image) {
    std::string header;
    append_u32(header, static_cast<std::uint32_t>(image.width()));
    append_u32(header, static_cast<std::uint32_t>(image.height()));
    header += std::string("\x08\x02\x00\x00\x00", 5); // 8 bits, RGB, deflate, adaptive filters, not interlaced

    const auto width = static_cast<std::ptrdiff_t>(channels) * image.width();
    Row before(static_cast<std::size_t>(width)), rows;
    for (auto at = image.rgb().begin(); at != image.rgb().end(); at += width) {
        const Row row(at, at + width), chosen = best_filtered(row, before);
        rows.insert(rows.end(), chosen.begin(), chosen.end());
        before = row;
    }
    std::string out = png_signature;
    append_chunk(out, "IHDR", header);
    append_chunk(out, "sRGB", std::string(1, '\0')); // as the image is
    append_chunk(out, "IDAT", packed(rows));
    append_chunk(out, "IEND", "");
    return out;
}

void write_png(const std::string& path, const Image& image) {
    const std::string ending = std::filesystem::u8path(path).extension().u8string();
    if (!ending.empty() && ending != ".png" && ending != ".PNG")
        throw Failure(path + ": pictures are written as PNG; choose a name that ends in .png.");
    write_file_bytes(path, encode_png(image));
}

} // namespace cli
