#include "failure.hpp"
#include "mesh/file_bytes.hpp"
#include "mesh/formats.hpp"

#include <algorithm>
#include <filesystem>
#include <new>

namespace cli {

Mesh read_mesh(const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });

    using Parser = Mesh (*)(std::string_view, const std::string&);
    Parser parse = nullptr;
    if (ending == ".ply") parse = parse_ply;
    if (ending == ".obj") parse = parse_obj;
    if (ending == ".stl") parse = parse_stl;
    if (ending == ".off") parse = parse_off;
    if (parse == nullptr) {
        throw Failure(path +
                      ": cannot tell the format from the name; use a file that ends in .ply, .obj, .stl or .off.");
    }
    try {
        return parse(read_file_bytes(path), path);
    } catch (const std::bad_alloc&) {
        throw Failure(path + ": not enough memory for this mesh; give a smaller one.");
    }
}

} // namespace cli
