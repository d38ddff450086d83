// Finds the vertices that a triangle soup repeats.
#pragma once

#include "vec3.hpp"

#include <cstdint>
#include <vector>

namespace cli {

// Gives equal points one index, in the order in which they first appear. Equal means the same bits, except that
// -0 is 0: they are the same place, and writers mix them.
class Weld {
public:
    std::uint32_t index_of(Vec3 p);
    std::vector<Vec3> take_positions() { return std::move(positions_); }
    const std::vector<Vec3>& positions() const { return positions_; }

private:
    void grow();

    std::vector<Vec3> positions_;
    std::vector<std::uint32_t> slots_; // open addressing; 0 is empty, otherwise an index plus one
};

} // namespace cli
