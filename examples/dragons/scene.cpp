#include "scene.hpp"

#include "mesh/moments.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace dragons {
namespace {

using cli::Vec3;

constexpr float floor_half_width = 4.8f;

Vec3 vector(const float (&v)[3]) { return {v[0], v[1], v[2]}; }

cli::Mesh centred(cli::Mesh mesh) {
    const Vec3 middle = cli::Moments(mesh).centre();
    Vec3 low = mesh.positions.front(), high = low;
    for (const Vec3 p : mesh.positions) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const float scale = 2.0f / std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    for (Vec3& p : mesh.positions) p = (p - middle) * scale;
    return mesh;
}

// Adds the time until its end to a stage.
class Watch {
public:
    Watch(Times& times, Stage stage) : seconds_(times[static_cast<std::size_t>(stage)]) {}
    Watch(const Watch&) = delete;
    ~Watch() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

private:
    double& seconds_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

} // namespace

Scene::Scene(const proxel::Context& context, cli::Mesh mesh, const SceneDef& def)
    : def_(def), mesh_(centred(std::move(mesh))), mass_(mesh_), floor_(def.floor_triangles, floor_half_width) {
    body_mesh_ = context.mesh(mesh_.positions, mesh_.triangles, "dragon").value();
    floor_mesh_ = context.mesh(floor_.mesh().positions, floor_.mesh().triangles, "floor", PRX_MESH_DEFORMING).value();
    PrxFieldDef field = prx_field_def_default();
    field.resolution = def.field_resolution;
    field_ = context.bake(body_mesh_, field).value();
    boxes_ = context.scene().value();
    batch_ = context.batch().value();
    place_bodies();
    for (const PrxPose& pose : poses_) objects_.push_back(boxes_.add({body_mesh_, pose}).value());
    objects_.push_back(boxes_.add(floor_mesh_).value());
    field_.wait().value();
}

// Nine a layer, each turned another way.
void Scene::place_bodies() {
    for (int i = 0; i < def_.bodies; ++i) {
        const auto number = static_cast<float>(i);
        Body body;
        body.place.translation = {2.2f * static_cast<float>(i % 3 - 1), def_.drop_height + 2.2f * static_cast<float>(i / 9),
                                  2.2f * static_cast<float>(i / 3 % 3 - 1)};
        const Vec3 axis = cli::normalised({std::cos(number), 0.4f, std::sin(number)});
        body.place.turn = axis * std::sin(0.45f * number);
        body.place.scalar = std::cos(0.45f * number);
        bodies_.push_back(body);
        poses_.push_back(body.pose(mass_));
    }
}

void Scene::advance(Times& times) {
    time_ += def_.time_step;
    {
        const Watch watch(times, Stage::floor);
        floor_.move_to(time_);
        floor_mesh_.update(floor_.mesh().positions).value();
    }
    std::vector<Contact> contacts;
    {
        const Watch watch(times, Stage::broad_phase);
        contacts = touching_boxes();
    }
    {
        const Watch watch(times, Stage::record);
        record(contacts);
    }
    {
        const Watch watch(times, Stage::device);
        batch_.submit().value();
        batch_.wait().value();
    }
    const Watch watch(times, Stage::integrate);
    gather(contacts);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        bodies_[i].advance(mass_, def_.gravity, def_.time_step);
        poses_[i] = bodies_[i].pose(mass_);
    }
}

std::vector<Scene::Contact> Scene::touching_boxes() {
    boxes_.move({objects_.data(), bodies_.size()}, poses_).value();
    const auto number = [&](PrxObject object) {
        return static_cast<std::size_t>(
            std::find_if(objects_.begin(), objects_.end(), [&](PrxObject o) { return o.id == object.id; }) - objects_.begin());
    };
    std::vector<Contact> contacts;
    for (const PrxObjectPair& pair : boxes_.object_pairs().value()) {
        const std::size_t first = number(pair.first), second = number(pair.second);
        contacts.push_back({first, second < bodies_.size() ? second : ground, {}});
    }
    pairs_ = contacts.size();
    return contacts;
}

void Scene::record(std::vector<Contact>& contacts) {
    PrxPenaltyDef def = prx_penalty_def_default();
    const auto mass = static_cast<float>(mass_.mass);
    def.stiffness = def_.stiffness * mass;
    def.damping = def_.damping * mass;
    def.friction = def_.friction;
    def.resolution = def_.sampling;
    PrxPenaltyDef floor_def = def;
    floor_def.velocities = floor_.velocities().data();
    floor_def.velocity_stride = sizeof(Vec3);
    batch_.reset().value();
    for (Contact& contact : contacts) {
        const proxel::PlacedField body(field_, poses_[contact.field_body]);
        if (contact.mesh_body == ground) contact.ticket = batch_.penalty(body, floor_mesh_, floor_def).value();
        else contact.ticket = batch_.penalty(body, {body_mesh_, poses_[contact.mesh_body]}, def).value();
    }
}

void Scene::gather(const std::vector<Contact>& contacts) {
    contacts_ = 0;
    depth_ = 0;
    for (const Contact& contact : contacts) {
        const PrxPenalty answer = batch_.read(contact.ticket).value();
        contacts_ += answer.sample_count > 0;
        depth_ = std::max<double>(depth_, answer.depth);
        bodies_[contact.field_body].force += vector(answer.force_sum);
        bodies_[contact.field_body].torque += vector(answer.torque_sum);
        if (contact.mesh_body == ground) continue;
        bodies_[contact.mesh_body].force += vector(answer.mesh_force_sum);
        bodies_[contact.mesh_body].torque += vector(answer.mesh_torque_sum);
    }
}

double Scene::energy() const {
    double sum = 0;
    for (const Body& body : bodies_) sum += body.energy(mass_, def_.gravity);
    return sum;
}

double Scene::lowest_above_floor() const {
    double lowest = std::numeric_limits<double>::infinity();
    for (const Body& body : bodies_) {
        const Vec3 at = body.place.translation;
        lowest = std::min<double>(lowest, at.y - floor_.height(at.x, at.z, time_));
    }
    return lowest;
}

cli::View Scene::view() const {
    const cli::Colour colours[] = {cli::palette::blue, cli::palette::amber, cli::palette::green, cli::palette::violet,
                                   cli::palette::red};
    cli::View view;
    view.surfaces.push_back({&floor_.mesh(), {}, cli::palette::clay, 1.0f, {}});
    for (std::size_t i = 0; i < bodies_.size(); ++i) view.surfaces.push_back({&mesh_, bodies_[i].place, colours[i % 5], 1.0f, {}});
    view.towards_eye = {0.35f, 0.55f, 1.0f};
    const float w = 0.72f * floor_half_width, high = 2.8f + 2.2f * static_cast<float>((def_.bodies - 1) / 9);
    for (const float x : {-w, w}) {
        for (const float z : {-w, w}) view.framed.insert(view.framed.end(), {{x, 0.0f, z}, {0.6f * x, high, 0.6f * z}});
    }
    return view;
}

} // namespace dragons
