// What two bodies share, as the faces of small blocks: for pictures.
#pragma once

#include "commands/body.hpp"

namespace cli {

// Blocks of a fixed number along the longest side of `bounds` whose centres are inside both bodies.
Mesh shared_voxels(const Session& session, const Body& a, const Body& b, const PrxBounds& bounds);

} // namespace cli
