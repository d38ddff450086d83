// The volume that a mesh and a moved copy of it share, both handed over anew in every turn. stage=ldi makes the layered depth image
// of the first alone. The answer is the volume and its certificate.
#include "context.hpp"
#include "poses.hpp"

namespace {

PrxMesh create(Context& context, const Mesh& mesh) {
    PrxMeshDef def = prx_mesh_def_default();
    def.vertex_count = static_cast<uint32_t>(mesh.points.size());
    def.triangle_count = static_cast<uint32_t>(mesh.triangles.size());
    def.positions = mesh.points.data();
    def.position_stride = 12;
    def.indices = mesh.triangles.data();
    def.index_type = PRX_INDEX_TYPE_U32;
    def.flags = PRX_MESH_DEFORMING;
    PrxMesh made;
    must(prx_mesh_create(context, &def, &made), context);
    return made;
}

PrxLdiDef read_def(const contest::Arguments& arguments) {
    PrxLdiDef def = prx_ldi_def_default();
    def.resolution = static_cast<uint32_t>(std::stoul(arguments.text("resolution", "128")));
    const std::string generator = arguments.text("generator", "compute");
    def.generator = generator == "lists" ? PRX_GENERATOR_LISTS : generator == "stencil" ? PRX_GENERATOR_STENCIL : PRX_GENERATOR_COMPUTE;
    if (arguments.text("trusted", "no") == "yes") def.flags = PRX_LDI_TRUSTED;
    if (arguments.text("rays", "best") == "all") def.rays = PRX_RAYS_ALL;
    return def;
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = read_mesh(arguments.text("mesh"));
        const Mesh other = read_mesh(arguments.text("other", arguments.text("mesh")));
        const double wave = std::stod(arguments.text("wave", "0.02"));
        const bool whole = arguments.text("stage", "all") == "all";
        const PrxLdiDef def = read_def(arguments);
        Context context;
        const PrxMesh a = create(context, mesh), b = create(context, other);
        PrxBatch* batch;
        PrxTicket ticket;
        must(prx_batch_create(context, &batch), context);
        if (whole) must(prx_batch_volume(batch, a, nullptr, b, nullptr, &def, &ticket), context);
        else must(prx_batch_layers(batch, a, nullptr, &def, 4 * def.resolution * def.resolution, &ticket), context);
        const auto hand_over = [&](PrxMesh to, const std::vector<std::array<float, 3>>& points) {
            must(prx_mesh_update(context, to, 0, static_cast<uint32_t>(points.size()), points.data(), 12), context);
        };
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            const auto moved_a = deformed(mesh, Pose{}, turn, wave);
            const auto moved_b = deformed(other, pose_of("overlap", mesh, turn), turn, wave);
            PrxVolume volume{};
            std::uint64_t layers = 0;
            auto sample = contest::median_of(3, [&] {
                hand_over(a, moved_a);
                if (whole) hand_over(b, moved_b);
                must(prx_batch_submit(batch, nullptr), context);
                must(prx_batch_wait(batch, UINT64_MAX), context);
                if (whole) must(prx_batch_volume_result(batch, ticket, &volume, nullptr), context);
                else prx_batch_layers_result(batch, ticket, nullptr, nullptr, 0, &layers);
            });
            if (whole) sample.answer = {volume.volume, volume.lower, volume.upper};
            return sample;
        });
        must(prx_batch_destroy(batch), context);
    });
}
