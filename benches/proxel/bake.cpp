// A field of the mesh over the peers' grid: from the positions on the host to a field that can be sampled.
#include <algorithm>
#include <cmath>

#include "contestant.hpp"
#include "context.hpp"
#include "mesh.hpp"

namespace {

PrxMesh create_mesh(PrxContext* context, const Mesh& mesh) {
    PrxMeshDef def = prx_mesh_def_default();
    def.vertex_count = static_cast<uint32_t>(mesh.points.size());
    def.triangle_count = static_cast<uint32_t>(mesh.triangles.size());
    def.positions = mesh.points.data();
    def.indices = mesh.triangles.data();
    PrxMesh made;
    must(prx_mesh_create(context, &def, &made), context);
    return made;
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        Mesh mesh = read_mesh(arguments.text("mesh"));
        Grid grid(mesh, static_cast<uint64_t>(arguments.number("resolution")));
        bool sparse = arguments.text("storage", "distance") == "sparse";
        PrxContextDef def = prx_context_def_default();
        def.worker_threads = static_cast<uint32_t>(arguments.number("threads"));
        Context context(def);

        // A sparse field has whole bricks of eight cells.
        uint32_t nodes = static_cast<uint32_t>(sparse ? (grid.resolution + 7) / 8 * 8 + 1 : grid.resolution);
        PrxGrid lattice{};
        for (int axis = 0; axis < 3; ++axis) {
            lattice.origin[axis] = static_cast<float>(grid.origin[axis]);
            lattice.nodes[axis] = nodes;
        }
        lattice.cell_size = static_cast<float>(grid.spacing);
        PrxFieldDef field_def = prx_field_def_default();
        field_def.grid = &lattice;
        if (sparse) field_def.storage = PRX_STORAGE_SPARSE;

        // Nodes on the border are not to be rounded out of the domain, where only bounds are known.
        std::vector<float> points;
        for (uint64_t k = 0; k < Grid::probes && !sparse; ++k)
            for (int axis = 0; axis < 3; ++axis) {
                const float first = lattice.origin[axis], last = first + lattice.cell_size * static_cast<float>(nodes - 1);
                const double at = grid.origin[axis] + grid.spacing * static_cast<double>(grid.probe(k)[axis]);
                points.push_back(std::clamp(static_cast<float>(at), first, std::nextafter(last, first)));
            }

        contest::compete(context.about(), [&](const contest::Turn&) {
            PrxMesh made{};
            PrxField field{};
            contest::Sample sample{contest::seconds_of([&] {
                made = create_mesh(context, mesh);
                must(prx_field_bake(context, made, &field_def, &field), context);
                must(prx_field_wait(context, field, UINT64_MAX), context);
            })};
            PrxFieldInfo info;
            must(prx_field_info(context, field, &info), context);
            sample.extra = "\"bytes\": " + std::to_string(info.device_bytes) + ", \"error_bound\": " + std::to_string(info.error);
            if (!sparse) {
                std::vector<PrxSample> samples(Grid::probes);
                must(prx_field_sample(context, field, nullptr, points.data(), Grid::probes, 12, samples.data()), context);
                for (const PrxSample& s : samples) sample.answer.push_back(s.distance);
            }
            must(prx_field_destroy(context, field), context);
            must(prx_mesh_destroy(context, made), context);
            return sample;
        });
    });
}
