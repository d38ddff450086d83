// The box around points, with sides along the axes.
#pragma once

#include "vec3.hpp"

#include <algorithm>
#include <limits>

namespace cli {

struct Box {
    Vec3 low{inf, inf, inf};
    Vec3 high{-inf, -inf, -inf};

    void add(Vec3 p) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }

    Vec3 middle() const { return 0.5f * (low + high); }
    float radius() const { return 0.5f * length(high - low); } // half the diagonal

private:
    static constexpr float inf = std::numeric_limits<float>::infinity();
};

} // namespace cli
