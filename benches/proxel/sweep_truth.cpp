// First impacts of pairs of single triangles, for ../sweep_truth.py: 36 floats a case in (a at 0, a at 1, b at 0, b at 1), the time
// of impact as a double out, infinity for none.
#include <cstdio>

#include "context.hpp"

namespace {

PrxMesh triangle(PrxContext* context, const float* corners) {
    const uint32_t indices[3] = {0, 1, 2};
    PrxMeshDef def = prx_mesh_def_default();
    def.vertex_count = 3;
    def.triangle_count = 1;
    def.positions = corners;
    def.position_stride = 12;
    def.indices = indices;
    PrxMesh mesh;
    must(prx_mesh_create(context, &def, &mesh), context);
    return mesh;
}

}  // namespace

int main() try {
    PrxContextDef one = prx_context_def_default();
    one.worker_threads = 1;
    Context context(one);
    PrxSweepDef def = prx_sweep_def_default();
    def.tolerance = 1e-6;
    float corners[36];
    while (std::fread(corners, sizeof corners, 1, stdin) == 1) {
        PrxMesh meshes[4];
        for (int i = 0; i < 4; ++i) meshes[i] = triangle(context, corners + 9 * i);
        PrxImpact impact;
        must(prx_mesh_sweep(context, meshes[0], meshes[1], meshes[2], meshes[3], &def, &impact), context);
        std::fwrite(&impact.time, sizeof impact.time, 1, stdout);
        for (PrxMesh mesh : meshes) prx_mesh_destroy(context, mesh);
    }
    return 0;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
}
