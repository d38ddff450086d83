// One reader for each file format. Each takes the whole file's bytes, and its name for messages.
#pragma once

#include "mesh/mesh.hpp"

#include <string>
#include <string_view>

namespace cli {

Mesh parse_ply(std::string_view bytes, const std::string& name);
Mesh parse_obj(std::string_view bytes, const std::string& name);
Mesh parse_stl(std::string_view bytes, const std::string& name);
Mesh parse_off(std::string_view bytes, const std::string& name);

} // namespace cli
