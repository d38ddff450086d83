// Where the eye is, and which pixel it sees a point at.
#pragma once

#include "picture/image.hpp"
#include "vec3.hpp"

#include <vector>

namespace cli {

// A point on the screen. Depth grows with distance and is linear across a flat surface, in perspective too.
struct ScreenPoint {
    float x = 0.0f;
    float y = 0.0f;
    float depth = 0.0f;
};

class Camera {
public:
    // Looks from `towards_eye` so that all points just fit into a screen of this size.
    Camera(const std::vector<Vec3>& points, Vec3 towards_eye, bool perspective, float width, float height);

    ScreenPoint project(Vec3 p) const;
    Vec3 unproject(ScreenPoint s) const;

    // How long a pixel is in the world, at a point on the screen.
    float pixel_size(float depth) const { return perspective_ ? distance_of(depth) / scale_ : 1.0f / scale_; }
    float depth_of(float distance) const { return perspective_ ? -1.0f / distance : distance; }
    float distance_of(float depth) const { return perspective_ ? -1.0f / depth : depth; }

    Vec3 towards_eye(Vec3 p) const { return perspective_ ? normalised(eye_ - p) : back_; }

    Vec3 right() const { return right_; }
    Vec3 up() const { return up_; }
    Vec3 back() const { return back_; }
    Vec3 middle() const { return middle_; }
    float radius() const { return radius_; }

private:
    Vec3 right_, up_, back_;
    Vec3 eye_, middle_;
    float radius_ = 1.0f;
    bool perspective_;
    float scale_ = 1.0f;
    float shift_x_ = 0.0f;
    float shift_y_ = 0.0f;
};

} // namespace cli
