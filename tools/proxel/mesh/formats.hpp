// One reader for each file format. Each takes the whole file's bytes, and its name for messages.
// The first four are ours for their messages: a library would say that a file is bad, they say where, why and what to do.
#pragma once

#include "mesh/mesh.hpp"

#include <string>
#include <string_view>

namespace cli {

Mesh parse_ply(std::string_view bytes, const std::string& name);
Mesh parse_obj(std::string_view bytes, const std::string& name);
Mesh parse_stl(std::string_view bytes, const std::string& name);
Mesh parse_off(std::string_view bytes, const std::string& name);
Mesh parse_gltf(std::string_view bytes, const std::string& name); // .gltf and .glb; all instances of the default scene

} // namespace cli
