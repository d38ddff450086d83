// Meshes on their way, in a picture.
#pragma once

#include "commands/query.hpp"

namespace cli {

// Where the vertices are at a time from 0 to 1.
Mesh at_time(const Mesh& from, const Mesh& to, float time);

// The paths of a few vertices up to a time, as arrows.
void mark_paths(View& view, const Mesh& from, const Mesh& to, float time);

} // namespace cli
