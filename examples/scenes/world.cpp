#include "world.hpp"

#include "mesh/moments.hpp"

#include <algorithm>
#include <cmath>

namespace scenes {
namespace {

PrxPose proxel_pose(const cli::Pose& pose) {
    PrxPose out = prx_pose_identity();
    const cli::Vec3 p = pose.translation, q = pose.turn;
    for (int i = 0; i < 3; ++i) {
        out.position[i] = (&p.x)[i];
        out.rotation[i] = (&q.x)[i];
    }
    out.rotation[3] = pose.scalar;
    return out;
}

double squared(cli::Vec3 v) { return double(v.x) * v.x + double(v.y) * v.y + double(v.z) * v.z; }

} // namespace

std::size_t World::add_shape(ShapeDef def) {
    Shape shape{std::move(def), {}, {}, 0, {}};
    cli::Mesh about = shape.def.mesh;
    shape.centre = cli::Moments(about).centre();
    for (cli::Vec3& p : about.positions) {
        p = p - shape.centre;
        shape.radius = std::max(shape.radius, cli::length(p));
    }
    const cli::Moments moments(about);
    const auto& second = moments.second;
    const double trace = second[0][0] + second[1][1] + second[2][2];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) shape.inertia[i][j] = ((i == j ? trace : 0) - second[i][j]) / moments.volume;
    shape.mesh = context_.mesh(shape.def.mesh.positions, shape.def.mesh.triangles).value();
    shapes_.push_back(std::move(shape));
    make_shape(shapes_.back());
    return shapes_.size() - 1;
}

std::size_t World::add_body(const BodyDef& def) {
    bodies_.push_back(def);
    make_body(def, shapes_[def.shape], cli::place(def.pose, shapes_[def.shape].centre));
    return bodies_.size() - 1;
}

cli::Vec3 World::centre(std::size_t body) const { return cli::place(pose(body), shape_of(body).centre); }

double World::kinetic_energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (bodies_[i].mass == 0) continue;
        const cli::Pose at = pose(i);
        const cli::Vec3 w = cli::rotate({{}, -at.turn, at.scalar}, spin(i)); // along its own axes
        double turning = 0;
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column) turning += shape_of(i).inertia[row][column] * (&w.x)[row] * (&w.x)[column];
        sum += 0.5 * bodies_[i].mass * (squared(velocity(i)) + turning);
    }
    return sum;
}

double World::energy() const {
    double sum = kinetic_energy();
    for (std::size_t i = 0; i < bodies_.size(); ++i) sum += bodies_[i].mass * gravity * centre(i).y;
    return sum;
}

double World::speed() const {
    double most = 0;
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        if (bodies_[i].mass > 0) most = std::max<double>(most, cli::length(velocity(i)));
    return most;
}

double World::depth() const {
    double deepest = 0;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const Shape &a = shape_of(i), &b = shape_of(j);
            if ((bodies_[i].mass == 0 && bodies_[j].mass == 0) || cli::length(centre(i) - centre(j)) > a.radius + b.radius) continue;
            const PrxPose at = proxel_pose(pose(i)), there = proxel_pose(pose(j));
            // Closed surfaces that do not meet are apart: no body of a scene is large enough to hold another.
            if (context_.distance({a.mesh, at}, {b.mesh, there}).value().intersecting == 0) continue;
            deepest = std::max<double>({deepest, -context_.exact_proximity({a.mesh, at}, {b.mesh, there}).value().distance,
                                        -context_.exact_proximity({b.mesh, there}, {a.mesh, at}).value().distance});
        }
    }
    return deepest;
}

std::vector<float> World::state() const {
    std::vector<float> all;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const cli::Pose at = pose(i);
        for (const float number : {at.translation.x, at.translation.y, at.translation.z, at.turn.x, at.turn.y, at.turn.z, at.scalar})
            all.push_back(number);
    }
    return all;
}

cli::View World::view() const {
    const cli::Colour colours[] = {cli::palette::blue, cli::palette::amber, cli::palette::violet, cli::palette::green};
    cli::View view;
    std::size_t moving = 0;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const bool stays = bodies_[i].mass == 0;
        view.surfaces.push_back({&shape_of(i).def.mesh, pose(i), stays ? cli::palette::clay : colours[moving++ % 4], bodies_[i].opacity, {}});
    }
    return view;
}

} // namespace scenes
