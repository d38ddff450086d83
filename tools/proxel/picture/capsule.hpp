// Marks on the screen: dots, lines and arrowheads are all round bodies between two circles, shaded as if solid.
#pragma once

#include "picture/camera.hpp"
#include "picture/colour.hpp"
#include "picture/view.hpp"

#include <vector>

namespace cli {

struct Capsule {
    ScreenPoint a;
    ScreenPoint b;
    float radius_a = 0.0f;
    float radius_b = 0.0f;
    bool flat_start = false; // cut straight at `a`, as the base of an arrowhead is
    Colour colour;

    float top() const { return std::min(a.y - radius_a, b.y - radius_b); }
    float bottom() const { return std::max(a.y + radius_a, b.y + radius_b); }
    float left() const { return std::min(a.x - radius_a, b.x - radius_b); }
    float right() const { return std::max(a.x + radius_a, b.x + radius_b); }
};

// Appends the one or two capsules that show a mark. `scale` is how many samples a pixel is wide.
void append_capsules(std::vector<Capsule>& capsules, const Mark& mark, const Camera& camera, float scale);

// Where the capsule meets the middle of a sample: whether it does, how deep, and in which colour.
struct CapsuleHit {
    bool hit = false;
    float depth = 0.0f;
    Colour colour;
};

CapsuleHit hit_capsule(const Capsule& capsule, const Camera& camera, float x, float y);

} // namespace cli
