// A field against a mesh of the same shape that turns and comes closer, handed over anew before each query: proximity, penalty or overlap
// along one path, at one resolution.
#include <cmath>

#include "contestant.hpp"
#include "context.hpp"
#include "mesh.hpp"
#include "poses.hpp"

namespace {

PrxMesh create_mesh(PrxContext* context, const Mesh& mesh) {
    PrxMeshDef def = prx_mesh_def_default();
    def.vertex_count = static_cast<uint32_t>(mesh.points.size());
    def.triangle_count = static_cast<uint32_t>(mesh.triangles.size());
    def.positions = mesh.points.data();
    def.indices = mesh.triangles.data();
    def.flags = PRX_MESH_DEFORMING;
    PrxMesh made;
    must(prx_mesh_create(context, &def, &made), context);
    return made;
}

uint32_t path_of(const std::string& name) {
    const char* names[] = {"auto", "compute", "three_pass", "geometry_shader", "binned"};
    for (uint32_t i = 0; i < 5; ++i)
        if (name == names[i]) return i;
    throw std::runtime_error("path=" + name + " is not a path");
}

// From well inside to apart: the centres are 0.4 to 1.2 longest extents away from each other.
PrxPose pose_in(const Mesh& mesh, const contest::Turn& turn) {
    Pose pose = pose_of("rotate", mesh, turn);
    double place = std::fmod(turn.round * 0.6180339887498949, 1.0);
    pose.translation[0] += (0.4 + 0.8 * place - 1.5) * mesh.longest();
    PrxPose out = prx_pose_identity();
    for (int i = 0; i < 3; ++i) out.position[i] = static_cast<float>(pose.translation[i]);
    for (int i = 0; i < 4; ++i) out.rotation[i] = static_cast<float>(pose.rotation[i]);
    return out;
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        Mesh mesh = read_mesh(arguments.text("mesh"));
        std::string query = arguments.text("query");
        Context context;
        PrxMesh solid = create_mesh(context, mesh), moving = create_mesh(context, mesh);
        PrxFieldDef field_def = prx_field_def_default();
        field_def.resolution = 128;
        field_def.storage = PRX_STORAGE_DIRECTION;
        PrxField field;
        must(prx_field_bake(context, solid, &field_def, &field), context);
        must(prx_field_wait(context, field, UINT64_MAX), context);

        PrxProximityDef proximity = prx_proximity_def_default();
        PrxPenaltyDef penalty = prx_penalty_def_default();
        PrxOverlapDef overlap = prx_overlap_def_default();
        proximity.path = penalty.path = path_of(arguments.text("path", "auto"));
        penalty.early_z = static_cast<uint32_t>(std::stoul(arguments.text("early_z", "0")));
        proximity.resolution = penalty.resolution = overlap.resolution = static_cast<uint32_t>(arguments.number("resolution"));
        double answer = 0;
        auto ask = [&](const PrxPose& pose) {
            if (query == "proximity") {
                PrxProximity out;
                must(prx_field_proximity(context, field, nullptr, moving, &pose, &proximity, &out), context);
                answer = out.distance;
            } else if (query == "penalty") {
                PrxPenalty out;
                must(prx_field_penalty(context, field, nullptr, moving, &pose, &penalty, &out), context);
                answer = out.area;
            } else {
                PrxOverlap out;
                must(prx_field_overlap(context, field, nullptr, moving, &pose, &overlap, &out), context);
                answer = out.overlap;
            }
        };
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            PrxPose pose = pose_in(mesh, turn);
            auto sample = contest::shortest_of(2, [&] {
                must(prx_mesh_update(context, moving, 0, static_cast<uint32_t>(mesh.points.size()), mesh.points.data(), 12), context);
                ask(pose);
            });
            sample.answer = {answer};
            return sample;
        });
    });
}
