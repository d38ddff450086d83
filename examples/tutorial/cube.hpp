// The mesh of most steps: a cube from -1 to 1, eight vertices, twelve triangles that face outwards.
#pragma once

#include <cstdint>
#include <vector>

inline std::vector<float> cube_positions() {
    std::vector<float> positions;
    for (int corner = 0; corner < 8; ++corner)
        for (int bit : {1, 2, 4}) positions.push_back((corner & bit) != 0 ? 1.0f : -1.0f);
    return positions;
}

inline std::vector<std::uint32_t> cube_triangles() {
    return {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
            2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
}
