// Wavefront OBJ: `v` and `f` lines; every other statement is about looks or grouping and is passed over.
#include "mesh/formats.hpp"
#include "mesh/mesh_builder.hpp"
#include "mesh/text_scanner.hpp"

#include <algorithm>

namespace cli {
namespace {

// A face may name a vertex that a later line defines, so the bound is checked at the end; this remembers the worst.
struct FurthestCorner {
    std::int64_t index = -1;
    std::size_t line = 0;
};

// `7`, `7/1`, `7//3`, `7/1/3` and `-1` (the latest vertex) all name one vertex. Returns it counted from 0.
std::int64_t corner(const TextScanner& scanner, std::string_view word, std::size_t vertices_so_far) {
    const std::int64_t named = scanner.integer(word.substr(0, word.find('/')), "a vertex number");
    if (named == 0) scanner.fail("a face names vertex 0, but OBJ counts from 1; export the mesh again");
    if (named > 0) return named - 1;
    const std::int64_t index = named + static_cast<std::int64_t>(vertices_so_far);
    if (index < 0) {
        scanner.fail("a face names vertex " + std::to_string(named) + ", but only " + std::to_string(vertices_so_far) +
                     " vertices came before it; export the mesh again");
    }
    return index;
}

void read_face(TextScanner& scanner, MeshBuilder& builder, std::vector<std::int64_t>& corners,
               FurthestCorner& furthest) {
    corners.clear();
    for (std::string_view word = scanner.word(); !word.empty(); word = scanner.word()) {
        corners.push_back(corner(scanner, word, builder.mesh().positions.size()));
        if (corners.back() > furthest.index) furthest = {corners.back(), scanner.line()};
    }
    builder.polygon(corners, std::uint64_t{1} << 32);
}

} // namespace

Mesh parse_obj(std::string_view bytes, const std::string& name) {
    TextScanner scanner(bytes, name);
    MeshBuilder builder([&](const std::string& what) { scanner.fail(what); });
    std::vector<std::int64_t> corners;
    FurthestCorner furthest;

    while (scanner.skip_to_word()) {
        const std::string_view keyword = scanner.word();
        if (keyword == "v") builder.vertex(scanner.point("a coordinate of a vertex"));
        if (keyword == "f") read_face(scanner, builder, corners, furthest);
        scanner.next_line();
    }
    const std::size_t count = builder.mesh().positions.size();
    if (count > 0 && furthest.index >= static_cast<std::int64_t>(count)) {
        scanner.set_line(furthest.line);
        scanner.fail("a face names vertex " + std::to_string(furthest.index + 1) + ", but the file has " +
                     std::to_string(count) + " vertices; export the mesh again");
    }
    return builder.finish();
}

} // namespace cli
