#include "crowd.hpp"

#include <ctime>
#include <unordered_map>
#include <utility>

namespace fall {
namespace {

PrxPose pose_of(const cli::Pose& pose) {
    PrxPose out = prx_pose_identity();
    const float position[3] = {pose.translation.x, pose.translation.y, pose.translation.z};
    const float rotation[4] = {pose.turn.x, pose.turn.y, pose.turn.z, pose.scalar};
    for (int k = 0; k < 3; ++k) out.position[k] = position[k];
    for (int k = 0; k < 4; ++k) out.rotation[k] = rotation[k];
    return out;
}

} // namespace

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Crowd::Crowd(const proxel::Context& context) : context_(&context), scene_(context.scene().value()) {}

Thing& Crowd::add(cli::Mesh mesh, const cli::Pose& pose, bool deforms, cli::Colour colour) {
    PrxMeshDef def = proxel::mesh_def(mesh.positions, mesh.triangles);
    def.flags = deforms ? PRX_MESH_DEFORMING : 0;
    proxel::Mesh known = context_->mesh(def).value();
    const PrxObject object = scene_.add({known, pose_of(pose)}).value();
    things_.push_back({std::move(mesh), pose, std::move(known), object, colour});
    return things_.back();
}

void Crowd::move_all() {
    std::vector<PrxObject> objects;
    std::vector<PrxPose> poses;
    for (const Thing& thing : things_) {
        objects.push_back(thing.object);
        poses.push_back(pose_of(thing.pose));
    }
    scene_.move(objects, poses).value();
}

void Crowd::deform(Thing& thing) { thing.known.update(thing.mesh.positions).value(); }

void Crowd::replace(Thing& thing, cli::Mesh mesh) {
    thing.mesh = std::move(mesh);
    thing.known.replace(proxel::mesh_def(thing.mesh.positions, thing.mesh.triangles)).value();
}

std::vector<PrxScenePair> Crowd::collisions(const PrxCullDef& def, PrxCullStats* stats) const { return scene_.pairs(0, def, stats).value(); }

std::size_t Crowd::triangles() const {
    std::size_t count = 0;
    for (const Thing& thing : things_) count += thing.mesh.triangles.size();
    return count;
}

cli::View Crowd::view(const std::vector<PrxScenePair>& pairs) const {
    std::unordered_map<std::uint64_t, std::size_t> place;
    cli::View view;
    for (std::size_t i = 0; i < things_.size(); ++i) {
        const Thing& thing = things_[i];
        place[thing.object.id] = i;
        const std::vector<cli::Colour> colours(thing.mesh.triangles.size(), thing.colour);
        view.surfaces.push_back({&thing.mesh, thing.pose, thing.colour, 1.0f, colours});
    }
    for (const PrxScenePair& pair : pairs) {
        view.surfaces[place.at(pair.object_a.id)].triangle_colours[pair.triangle_a] = cli::palette::red;
        view.surfaces[place.at(pair.object_b.id)].triangle_colours[pair.triangle_b] = cli::palette::red;
    }
    return view;
}

} // namespace fall
