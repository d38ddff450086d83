// Near pairs of a mesh with itself for ../near_truth.py: near_truth MESH THICKNESS writes the pairs as the library gives them.
#include <cstdio>
#include <cstdlib>

#include "body.hpp"
#include "contestant.hpp"

int main(int count, char** words) try {
    if (count != 3) throw std::runtime_error("near_truth MESH THICKNESS");
    const Mesh mesh = read_mesh(words[1]);
    Context context;
    const PrxMesh body = create_body(context, mesh, mesh.points);
    PrxNearDef def = prx_near_def_default();
    def.thickness = std::atof(words[2]);
    def.mark_repeats = 1;
    uint64_t found = 0;
    prx_mesh_near_self(context, body, &def, nullptr, 0, &found);
    std::vector<PrxNearPair> pairs(found);
    must(prx_mesh_near_self(context, body, &def, pairs.data(), pairs.size(), &found), context);
    std::fwrite(pairs.data(), sizeof(PrxNearPair), pairs.size(), stdout);
    return 0;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
}
