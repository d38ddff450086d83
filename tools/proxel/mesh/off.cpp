// Geomview OFF: counts, then one vertex a line, then one face a line. Normals and colours at the ends of lines are
// passed over.
#include "mesh/formats.hpp"
#include "mesh/mesh_builder.hpp"
#include "mesh/text_scanner.hpp"

#include <algorithm>

namespace cli {
namespace {

// Reads `OFF`, or a tolerated kind of it (`COFF`, `NOFF`, `STCNOFF`), and returns the vertex count where a writer
// glued it to the keyword (`OFF490 518 0`, as many files of the ModelNet collection do).
std::string_view read_keyword(TextScanner& scanner) {
    const std::string_view keyword = scanner.word_on_any_line();
    const std::size_t at = keyword.find("OFF");
    if (at == std::string_view::npos) scanner.fail("an OFF file begins with OFF, this one does not; check its format");
    for (const char c : keyword.substr(0, at)) {
        if (c == '4' || c == 'n') scanner.fail("the mesh is not three-dimensional; give one with x y z");
        if (c != 'S' && c != 'T' && c != 'C' && c != 'N')
            scanner.fail("an OFF file begins with OFF, this one does not; check its format");
    }
    return keyword.substr(at + 3);
}

std::uint64_t read_count(TextScanner& scanner, std::string_view word, const char* what) {
    if (word == "BINARY") scanner.fail("binary OFF is not supported; export it as text, or as PLY");
    const std::int64_t count = scanner.integer(word, what);
    if (count < 0) scanner.fail(std::string("expected ") + what + ", found a negative number; repair it");
    return static_cast<std::uint64_t>(count);
}

void expect_more(TextScanner& scanner, const char* what, std::uint64_t index, std::uint64_t count) {
    if (scanner.skip_to_word()) return;
    scanner.fail("the file ends at " + std::string(what) + " " + std::to_string(index) + " of " +
                 std::to_string(count) + "; it is cut short, fetch it again");
}

} // namespace

Mesh parse_off(std::string_view bytes, const std::string& name) {
    TextScanner scanner(bytes, name);
    MeshBuilder builder([&](const std::string& what) { scanner.fail(what); });

    const std::string_view glued = read_keyword(scanner);
    const std::uint64_t vertices =
        read_count(scanner, glued.empty() ? scanner.word_on_any_line() : glued, "the number of vertices");
    const std::uint64_t faces = read_count(scanner, scanner.word_on_any_line(), "the number of faces");
    scanner.next_line();

    // A vertex takes at least 6 characters and a triangle 8; a count beyond that is a lie and reserves nothing.
    builder.mesh().positions.reserve(std::min<std::uint64_t>(vertices, scanner.remaining() / 6));
    builder.mesh().triangles.reserve(std::min<std::uint64_t>(faces, scanner.remaining() / 8));

    for (std::uint64_t i = 0; i < vertices; ++i) {
        expect_more(scanner, "vertex", i, vertices);
        builder.vertex(scanner.point("a coordinate of a vertex"));
        scanner.next_line();
    }
    std::vector<std::int64_t> corners;
    for (std::uint64_t i = 0; i < faces; ++i) {
        expect_more(scanner, "face", i, faces);
        const std::uint64_t size = read_count(scanner, scanner.word(), "the number of corners of a face");
        corners.clear();
        for (std::uint64_t k = 0; k < size; ++k) corners.push_back(scanner.integer(scanner.word(), "a vertex number"));
        builder.polygon(corners, vertices);
        scanner.next_line();
    }
    return builder.finish();
}

} // namespace cli
