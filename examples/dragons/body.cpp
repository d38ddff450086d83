#include "body.hpp"

#include "mesh/moments.hpp"

namespace dragons {
namespace {

using cli::Vec3;

Matrix inverse(const Matrix& m) {
    const auto minor = [&](std::size_t r, std::size_t c) {
        const std::size_t r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
        return m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
    };
    const double determinant = m[0][0] * minor(0, 0) + m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2);
    Matrix out{};
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c) out[c][r] = minor(r, c) / determinant;
    }
    return out;
}

Vec3 times(const Matrix& m, Vec3 v) {
    const auto row = [&](std::size_t r) { return static_cast<float>(m[r][0] * v.x + m[r][1] * v.y + m[r][2] * v.z); };
    return {row(0), row(1), row(2)};
}

cli::Pose turned_back(const cli::Pose& pose) { return {{}, -pose.turn, pose.scalar}; }

} // namespace

Mass::Mass(const cli::Mesh& centred) {
    const cli::Moments moments(centred);
    mass = moments.volume;
    const double trace = moments.second[0][0] + moments.second[1][1] + moments.second[2][2];
    Matrix inertia{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) inertia[i][k] = (i == k ? trace : 0) - moments.second[i][k];
    }
    inverse_inertia = inverse(inertia);
}

Vec3 Body::angular_velocity(const Mass& mass) const {
    return cli::rotate(place, times(mass.inverse_inertia, cli::rotate(turned_back(place), angular_momentum)));
}

PrxPose Body::pose(const Mass& mass) const {
    const Vec3 spin = angular_velocity(mass), at = place.translation, turn = place.turn;
    return {{at.x, at.y, at.z}, {turn.x, turn.y, turn.z, place.scalar}, {velocity.x, velocity.y, velocity.z}, {spin.x, spin.y, spin.z}};
}

double Body::energy(const Mass& mass, double gravity) const {
    return 0.5 * (mass.mass * cli::dot(velocity, velocity) + cli::dot(angular_velocity(mass), angular_momentum)) +
           mass.mass * gravity * place.translation.y;
}

void Body::advance(const Mass& mass, float gravity, float time) {
    velocity += (force * static_cast<float>(1 / mass.mass) + Vec3{0, -gravity, 0}) * time;
    angular_momentum += torque * time;
    place.translation += velocity * time;
    const Vec3 half = angular_velocity(mass) * (0.5f * time);
    const Vec3 turn = place.turn + half * place.scalar + cli::cross(half, place.turn);
    const float scalar = place.scalar - cli::dot(half, place.turn);
    const float length = std::sqrt(cli::dot(turn, turn) + scalar * scalar);
    place.turn = turn * (1 / length);
    place.scalar = scalar / length;
    force = torque = {};
}

} // namespace dragons
