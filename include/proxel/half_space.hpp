// The ground of a scene, or one of its walls: all that is below a plane, as a body.
#ifndef PROXEL_HALF_SPACE_HPP
#define PROXEL_HALF_SPACE_HPP

#include <proxel/contact.hpp>
#include <proxel/context.hpp>

#include <cmath>
#include <utility>

namespace proxel {
inline namespace PROXEL_MODE {

/// All that is below a plane. It has no end, and a field has: so it is a body where another one is near it. One half space serves any number
/// of planes and pairs.
class HalfSpace {
public:
    static Result<HalfSpace> of(const Context& context) {
        PrxShape plane = prx_shape_default();
        plane.kind = PRX_SHAPE_KIND_PLANE;
        for (float& half : plane.half_size) half = 1;
        auto field = context.field_from_shape(plane);
        if (!field) return Failure{field.status(), field.message()};
        HalfSpace space;
        space.field_ = std::move(field.value());
        return space;
    }

    /// What is below the plane through `point` with the outward unit vector `normal`, around the foot of `centre`: all that is within
    /// `radius` of that. The arguments are anything with three numbers, such as an engine's vectors.
    template <typename Normal, typename Point, typename Centre>
    PrxBody around(const Normal& normal, const Point& point, const Centre& centre, float radius) const {
        const double x = normal[0], y = normal[1], z = normal[2];
        const double at[3] = {double(centre[0]), double(centre[1]), double(centre[2])};
        const double height = x * (at[0] - point[0]) + y * (at[1] - point[1]) + z * (at[2] - point[2]);
        PrxBody body = proxel::body(field_);
        body.scale = radius;
        body.position[0] = at[0] - height * x;
        body.position[1] = at[1] - height * y;
        body.position[2] = at[2] - height * z;
        // The shortest turn of the field's y axis to the normal; about x where they are opposite.
        const double squares = x * x + z * z, w = y > 0 ? 1 + y : squares / (1 - y), length = std::sqrt(squares + w * w);
        body.rotation[0] = length > 0 ? static_cast<float>(z / length) : 1;
        body.rotation[2] = length > 0 ? static_cast<float>(-x / length) : 0;
        body.rotation[3] = length > 0 ? static_cast<float>(w / length) : 0;
        return body;
    }

private:
    Field field_;
};

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_HALF_SPACE_HPP
