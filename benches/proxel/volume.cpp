// The volume that a mesh and a moved copy of it share, or another given by other=, both handed over anew in every turn; `apart` is how
// far, in longest extents. stage=ldi makes the layered depth image of the first alone, stage=ldis those of both, stage=exact the exact intersection; of that, stage=pairs finds the pairs of
// triangles alone, and stage=crossed what crosses and what is inside. copies=N takes N of
// the mesh, one on the other and flattened, which makes N times as many layers. The answer is the volume; its certificate, or how
// many layers there are, are further keys.
#include "body.hpp"

namespace {

PrxLdiDef read_def(const contest::Arguments& arguments) {
    PrxLdiDef def = prx_ldi_def_default();
    def.resolution = static_cast<uint32_t>(std::stoul(arguments.text("resolution", "128")));
    const std::string generator = arguments.text("generator", "compute");
    def.generator = generator == "lists" ? PRX_GENERATOR_LISTS : generator == "stencil" ? PRX_GENERATOR_STENCIL : PRX_GENERATOR_COMPUTE;
    if (arguments.text("trusted", "no") == "yes") def.flags = PRX_LDI_TRUSTED;
    const std::string rays = arguments.text("rays", "best");
    def.rays = rays == "all" ? PRX_RAYS_ALL : rays == "z" ? PRX_RAYS_Z : PRX_RAYS_BEST;
    return def;
}

Mesh stacked(const Mesh& mesh, size_t copies) {
    Mesh stack = mesh;
    const float height = (mesh.high[2] - mesh.low[2]) / static_cast<float>(copies);
    for (size_t copy = 0; copy < copies; ++copy) {
        if (copy > 0) stack.points.insert(stack.points.end(), mesh.points.begin(), mesh.points.end());
        for (size_t i = 0; i < mesh.points.size(); ++i) {
            float& z = stack.points[copy * mesh.points.size() + i][2];
            z = mesh.low[2] + (z - mesh.low[2]) / static_cast<float>(copies) + static_cast<float>(copy) * height;
        }
        if (copy == 0) continue;
        for (auto triangle : mesh.triangles) {
            for (auto& corner : triangle) corner += static_cast<uint32_t>(copy * mesh.points.size());
            stack.triangles.push_back(triangle);
        }
    }
    return stack;
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const Mesh mesh = stacked(read_mesh(arguments.text("mesh")), std::stoul(arguments.text("copies", "1")));
        const std::string second = arguments.text("other", "");
        const Mesh other = second.empty() ? mesh : fitted(read_mesh(second), mesh);
        const std::string motion = "at_" + arguments.text("apart", "0.3");
        const double wave = std::stod(arguments.text("wave", "0.02"));
        const std::string stage = arguments.text("stage", "all");
        const bool exact = stage == "exact", pairs = stage == "pairs", crossed = stage == "crossed", whole = stage == "all" || exact || pairs || crossed;
        const bool both = stage != "ldi";
        const PrxLdiDef def = read_def(arguments);
        Context context;
        const PrxMesh a = create_body(context, mesh, mesh.points), b = create_body(context, other, other.points);
        // Layers that there is room for: two per ray, or as many as the copies have.
        const uint32_t room = 2 * def.resolution * def.resolution * static_cast<uint32_t>(std::stoul(arguments.text("copies", "2")));
        std::vector<PrxPair> found(pairs ? mesh.triangles.size() + other.triangles.size() : 0);
        PrxBatch* batch;
        PrxTicket ticket;
        must(prx_batch_create(context, &batch), context);
        if (whole) must(prx_batch_intersection_volume(batch, a, nullptr, b, nullptr, &def, &ticket), context);
        const auto layers_of = [&](PrxMesh of) {
            must(prx_batch_layers(batch, of, nullptr, &def, room, &ticket), context);
        };
        if (!whole && both) layers_of(b);
        if (!whole) layers_of(a);
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            const auto moved_a = deformed(mesh, Pose{}, turn, wave);
            const auto moved_b = deformed(other, pose_of(motion, mesh, turn), turn, wave);
            PrxIntersectionVolume volume{};
            PrxExactIntersection shared{};
            std::uint64_t layers = 0, crossings = 0;
            auto sample = contest::median_of(3, [&] {
                update(context, a, moved_a);
                if (both) update(context, b, moved_b);
                if (exact) return must(prx_mesh_exact_intersection(context, a, nullptr, b, nullptr, &shared), context);
                if (pairs) return must(prx_mesh_pairs(context, a, nullptr, b, nullptr, 0, found.data(), found.size(), &crossings), context);
                if (crossed) {
                    PrxIntersection intersection;
                    must(prx_intersection_create(context, a, nullptr, b, nullptr, &intersection), context);
                    return must(prx_intersection_destroy(context, intersection), context);
                }
                must(prx_batch_submit(batch, nullptr), context);
                must(prx_batch_wait(batch, UINT64_MAX), context);
                if (whole) must(prx_batch_intersection_volume_result(batch, ticket, &volume, nullptr), context);
                else prx_batch_layers_result(batch, ticket, nullptr, nullptr, 0, &layers);
            });
            std::ostringstream extra;
            extra.precision(17);
            if (exact) {
                sample.answer = {shared.volume};
                extra << "\"lower\": " << shared.lower << ", \"upper\": " << shared.upper << ", \"crossings\": " << shared.crossings;
            } else if (pairs) {
                extra << "\"crossings\": " << crossings;
            } else if (crossed) {
                extra << "\"stage\": 2";
            } else if (whole) {
                sample.answer = {volume.volume};
                extra << "\"lower\": " << volume.lower << ", \"upper\": " << volume.upper;
            } else {
                extra << "\"layers\": " << layers;
            }
            sample.extra = extra.str();
            return sample;
        });
        must(prx_batch_destroy(batch), context);
    });
}
