#include "failure.hpp"
#include "mesh/file_bytes.hpp"
#include "mesh/formats.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <new>

namespace cli {
namespace {

using Parser = Mesh (*)(std::string_view, const std::string&);

Parser parser_of(const std::string& path) {
    static const std::map<std::string, Parser> parsers{
        {".ply", parse_ply}, {".obj", parse_obj}, {".stl", parse_stl}, {".off", parse_off}, {".gltf", parse_gltf}, {".glb", parse_gltf}};
    const auto found = parsers.find(ending_of(path));
    return found == parsers.end() ? nullptr : found->second;
}

} // namespace

std::string ending_of(const std::string& path) {
    std::string ending = std::filesystem::u8path(path).extension().u8string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return ending;
}

bool is_mesh_file(const std::string& path) { return parser_of(path) != nullptr; }

Mesh read_mesh(const std::string& path) {
    const Parser parse = parser_of(path);
    if (parse == nullptr)
        throw Failure(path + ": cannot tell the format from the name; use a file that ends in .ply, .obj, .stl, .off, .glb or .gltf.");
    try {
        return parse(read_file_bytes(path), path);
    } catch (const std::bad_alloc&) {
        throw Failure(path + ": not enough memory for this mesh; give a smaller one.");
    }
}

} // namespace cli
