#include "rain.hpp"

#include "mesh/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace rain {
namespace {

using cli::Vec3;

// Particles fall from below `top`, and start anew at `bottom`, within `reach` of the axis.
constexpr float top = 2.2f, bottom = -1.2f, reach = 1.4f;

// Processor time of all threads counts what the machine does for others not at all.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// From 0 to 1, the same on every machine.
float spread(std::mt19937& random) { return static_cast<float>(static_cast<double>(random()) / 4294967296.0); }

} // namespace

Rain::Rain(const proxel::Context& context, const RainDef& def)
    : def_(def), context_(&context), body_(cli::rabbit(def.body_triangles)), rest_(body_.positions), velocities_(def.particles, Vec3{0, -def.speed, 0}),
      touched_(def.particles, 1e9f) {
    before_ = body_.positions = body_at(0);
    mesh_ = context.mesh(body_.positions, body_.triangles, "body", PRX_MESH_DEFORMING).value();
    for (std::uint32_t i = 0; i < def.particles; ++i) {
        Vec3 p = above();
        // They come one after the other.
        p.y += (top - bottom) * spread(random_);
        particles_.push_back(p);
    }
}

std::vector<Vec3> Rain::body_at(float time) const {
    const float sway = 0.3f * std::sin(2.1f * time), twist = 0.6f * std::sin(1.6f * time), breath = 0.1f * std::sin(5.0f * time);
    std::vector<Vec3> positions;
    positions.reserve(rest_.size());
    for (const Vec3 p : rest_) {
        const float turn = twist * (p.y + 1), c = std::cos(turn), s = std::sin(turn), wide = 1 + breath * (1 - p.y * p.y);
        positions.push_back({wide * (c * p.x + s * p.z) + sway * (p.y + 1), p.y, wide * (c * p.z - s * p.x)});
    }
    return positions;
}

Vec3 Rain::above() {
    const float x = spread(random_), z = spread(random_);
    return {reach * (2 * x - 1), top, reach * (2 * z - 1)};
}

void Rain::fall() {
    for (std::size_t i = 0; i < particles_.size(); ++i) {
        velocities_[i].y -= def_.gravity * def_.step;
        particles_[i] += def_.step * velocities_[i];
        touched_[i] += def_.step;
        if (particles_[i].y < bottom) {
            particles_[i] = above();
            velocities_[i] = {0, -def_.speed, 0};
        }
    }
}

void Rain::advance(Times& times) {
    const double begin = processor_seconds();
    time_ += def_.step;
    before_ = std::move(body_.positions);
    body_.positions = body_at(time_);
    fall();
    const double moved = processor_seconds();
    mesh_.update(body_.positions).value();
    const std::vector<PrxExit> exits = context_->exits(mesh_, particles_).value();
    const double asked = processor_seconds();
    inside_ = 0;
    deepest_ = 0;
    for (std::size_t i = 0; i < exits.size(); ++i)
        if (exits[i].inside != 0) bounce_off(i, exits[i]);
    times.deform += moved - begin;
    times.exits += asked - moved;
    times.bounce += processor_seconds() - asked;
}

void Rain::bounce_off(std::size_t particle, const PrxExit& exit) {
    const auto vector = [](const double* v) { return Vec3{static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])}; };
    const Vec3 out = vector(exit.direction);
    // How the surface moves there: as the middle of its triangle.
    Vec3 surface{};
    for (const std::uint32_t v : body_.triangles[exit.triangle]) surface += (body_.positions[v] - before_[v]) * (1 / (3 * def_.step));
    Vec3& velocity = velocities_[particle];
    const Vec3 relative = velocity - surface, across = dot(relative, out) * out;
    const Vec3 back = dot(relative, out) < 0 ? -def_.bounce * across : across;
    velocity = surface + (1 - def_.friction) * (relative - across) + back;
    // A little out of the surface, so that rounding to floats leaves it outside.
    particles_[particle] = vector(exit.place) + 1e-4f * out;
    touched_[particle] = 0;
    ++inside_;
    deepest_ = std::max(deepest_, exit.depth);
}

float Rain::fastest() const {
    float fastest = 0;
    for (const Vec3 v : velocities_) fastest = std::max(fastest, length(v));
    for (std::size_t v = 0; v < before_.size(); ++v) fastest = std::max(fastest, length(body_.positions[v] - before_[v]) / def_.step);
    return fastest;
}

cli::View Rain::view(std::size_t every) const {
    cli::View view;
    view.surfaces.push_back({&body_, {}, cli::palette::clay, 1.0f, {}});
    for (std::size_t i = 0; i < particles_.size(); i += every) {
        const bool is_recent = touched_[i] < 0.25f;
        view.marks.push_back({cli::Mark::Kind::dot, particles_[i], {}, is_recent ? cli::palette::red : cli::palette::blue, 2.0f});
    }
    view.towards_eye = {0.5f, 0.4f, 1.0f};
    view.framed = {{-1.3f, -1.1f, -1.0f}, {1.3f, -1.1f, 1.0f}, {-1.2f, 1.5f, 0.0f}, {1.2f, 1.5f, 0.0f}};
    return view;
}

} // namespace rain
