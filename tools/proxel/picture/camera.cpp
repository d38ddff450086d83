#include "picture/camera.hpp"

#include "box.hpp"

#include <algorithm>
#include <cmath>

namespace cli {

Camera::Camera(const std::vector<Vec3>& points, Vec3 towards_eye, bool perspective, float width, float height)
    : perspective_(perspective) {
    back_ = normalised(towards_eye);
    right_ = normalised(cross({0.0f, 1.0f, 0.0f}, back_));
    if (length(right_) == 0.0f) right_ = {1.0f, 0.0f, 0.0f}; // looking straight down
    up_ = cross(back_, right_);

    Box box;
    for (const Vec3 p : points) box.add(p);
    middle_ = box.middle();
    radius_ = std::max(box.radius(), 1e-20f);
    eye_ = middle_ + back_ * (4.5f * radius_); // far enough for a calm perspective

    // Project with a unit lens, then choose the lens and its shift so that the extent fits.
    float left = 1e30f, right = -1e30f, top = 1e30f, bottom = -1e30f;
    for (const Vec3 p : points) {
        const ScreenPoint s = project(p);
        left = std::min(left, s.x);
        right = std::max(right, s.x);
        top = std::min(top, s.y);
        bottom = std::max(bottom, s.y);
    }
    const float least = 1e-6f * (perspective_ ? 1.0f : radius_);
    scale_ = std::min(width / std::max(right - left, least), height / std::max(bottom - top, least));
    shift_x_ = 0.5f * width - scale_ * 0.5f * (left + right);
    shift_y_ = 0.5f * height - scale_ * 0.5f * (top + bottom);
}

ScreenPoint Camera::project(Vec3 p) const {
    const Vec3 v = p - eye_;
    const float distance = -dot(v, back_);
    const float s = perspective_ ? scale_ / distance : scale_;
    return {shift_x_ + s * dot(v, right_), shift_y_ - s * dot(v, up_), depth_of(distance)};
}

Vec3 Camera::unproject(ScreenPoint s) const {
    const float distance = distance_of(s.depth);
    const float size = pixel_size(s.depth);
    return eye_ - back_ * distance + right_ * ((s.x - shift_x_) * size) - up_ * ((s.y - shift_y_) * size);
}

} // namespace cli
