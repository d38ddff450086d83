// Stereolithography STL, binary and text. The file repeats each vertex for every triangle that uses it; repeats are
// welded, so that a closed surface is closed.
#include "failure.hpp"
#include "mesh/formats.hpp"
#include "mesh/mesh_builder.hpp"
#include "mesh/text_scanner.hpp"
#include "mesh/weld.hpp"

#include <cstring>

namespace cli {
namespace {

constexpr std::size_t header_bytes = 84; // 80 of free text, then the count
constexpr std::size_t facet_bytes = 50;  // normal, three corners, 16 bits of attributes

std::uint32_t u32_at(std::string_view bytes, std::size_t at) {
    const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(bytes[at + i])}; };
    return byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24);
}

float f32_at(std::string_view bytes, std::size_t at) {
    const std::uint32_t bits = u32_at(bytes, at);
    float value = 0.0f;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

bool same_word(std::string_view a, std::string_view lower_case) {
    if (a.size() != lower_case.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if ((a[i] | 0x20) != lower_case[i]) return false;
    }
    return true;
}

// A binary file may begin with "solid" too: its free text often does. The size settles it; where that does not fit
// either, text has no zero bytes.
bool is_text(std::string_view bytes) {
    if (bytes.size() >= header_bytes) {
        const std::size_t facets = u32_at(bytes, 80);
        if (bytes.size() == header_bytes + facets * facet_bytes) return false;
    }
    const std::size_t start = bytes.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos || !same_word(bytes.substr(start, 5), "solid")) return false;
    return bytes.substr(0, 1024).find('\0') == std::string_view::npos;
}

Mesh parse_binary(std::string_view bytes, const std::string& name) {
    if (bytes.size() < header_bytes) {
        throw Failure(name + ": " + std::to_string(bytes.size()) +
                      " bytes are neither a text nor a binary STL file; it is cut short or of another format.");
    }
    const std::size_t facets = u32_at(bytes, 80);
    if (facets > (bytes.size() - header_bytes) / facet_bytes) {
        throw Failure(name + ", byte 80: the header promises " + std::to_string(facets) + " triangles, which take " +
                      std::to_string(header_bytes + facets * facet_bytes) + " bytes, but the file has " +
                      std::to_string(bytes.size()) + "; it is cut short, fetch it again.");
    }
    std::size_t at = header_bytes;
    Weld weld;
    MeshBuilder builder(
        [&](const std::string& what) { throw Failure(name + ", byte " + std::to_string(at) + ": " + what + "."); });
    builder.mesh().triangles.reserve(facets);
    for (std::size_t i = 0; i < facets; ++i, at += facet_bytes) {
        Triangle triangle{};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t corner = at + 12 + 12 * k;
            const Vec3 p{f32_at(bytes, corner), f32_at(bytes, corner + 4), f32_at(bytes, corner + 8)};
            if (!is_finite(p)) {
                throw Failure(name + ", byte " + std::to_string(corner) + ": triangle " + std::to_string(i) +
                              " has a coordinate that is not finite; remove or repair it.");
            }
            triangle[k] = weld.index_of(p);
        }
        builder.mesh().triangles.push_back(triangle);
    }
    builder.mesh().positions = weld.take_positions();
    return builder.finish();
}

Mesh parse_text(std::string_view bytes, const std::string& name) {
    TextScanner scanner(bytes, name);
    Weld weld;
    MeshBuilder builder([&](const std::string& what) { scanner.fail(what); });
    std::vector<std::int64_t> loop;
    bool in_loop = false;
    while (scanner.skip_to_word()) {
        const std::string_view keyword = scanner.word();
        if (same_word(keyword, "vertex")) {
            if (!in_loop) scanner.fail("a vertex stands outside a loop; the file is damaged, fetch it again");
            loop.push_back(weld.index_of(scanner.point("a coordinate of a vertex")));
        } else if (same_word(keyword, "outer")) {
            in_loop = true;
            loop.clear();
        } else if (same_word(keyword, "endloop")) {
            in_loop = false;
            builder.polygon(loop, weld.positions().size());
        } else if (!same_word(keyword, "solid") && !same_word(keyword, "endsolid") && !same_word(keyword, "facet") &&
                   !same_word(keyword, "endfacet")) {
            scanner.fail("expected facet, outer loop, vertex, endloop, endfacet or endsolid; the file is damaged, "
                         "fetch it again");
        }
        scanner.next_line();
    }
    if (in_loop) scanner.fail("the file ends inside a facet; it is cut short, fetch it again");
    builder.mesh().positions = weld.take_positions();
    return builder.finish();
}

} // namespace

Mesh parse_stl(std::string_view bytes, const std::string& name) {
    return is_text(bytes) ? parse_text(bytes, name) : parse_binary(bytes, name);
}

} // namespace cli
