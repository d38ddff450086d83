// A frame of bodies whose triangles change (examples/leaves): which pairs of triangles intersect, by hierarchies or by visibility
// (method=), among the leaves that fall from a tree or the pieces of a mesh= that breaks. What changes the bodies is a key of its own.
#include "mesh.hpp"
#include "contestant.hpp"

#include "shards.hpp"
#include "tree.hpp"

namespace {

cli::Mesh watched(const Mesh& from) {
    cli::Mesh mesh;
    for (const auto& p : from.points) mesh.positions.push_back({p[0], p[1], p[2]});
    for (const auto& t : from.triangles) mesh.triangles.push_back({t[0], t[1], t[2]});
    return mesh;
}

template <class Scene>
void compete(const std::string& about, const PrxCullDef& def, Scene& scene, int first) {
    for (int i = 0; i < first; ++i) scene.advance();
    contest::compete(about, [&](const contest::Turn&) {
        const double change = contest::seconds_of([&] { scene.advance(); });
        PrxCullStats stats{};
        std::size_t pairs = 0;
        contest::Sample sample{contest::seconds_of([&] { pairs = scene.crowd().collisions(def, &stats).size(); })};
        sample.answer = {static_cast<double>(pairs)};
        sample.extra = "\"change\": " + std::to_string(change) + ", \"triangles\": " + std::to_string(scene.crowd().triangles()) +
                       ", \"box_pairs\": " + std::to_string(stats.box_pairs) + ", \"object_pairs\": " + std::to_string(stats.object_pairs);
        return sample;
    });
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        PrxContextDef context_def = prx_context_def_default();
        context_def.worker_threads = static_cast<std::uint32_t>(arguments.number("threads"));
        const proxel::Context context = proxel::Context::open(context_def).value();
        PrxCullDef def = prx_cull_def_default();
        if (arguments.text("method") == "visibility") def.method = PRX_CULL_METHOD_VISIBILITY;
        const std::string mesh = arguments.text("mesh", "");
        if (mesh.empty()) {
            fall::TreeDef tree_def;
            tree_def.leaves = static_cast<std::uint32_t>(arguments.number("leaves"));
            fall::Tree tree(context, tree_def);
            compete("proxel", def, tree, 30);
        } else {
            fall::Shards shards(context, watched(read_mesh(mesh)));
            compete("proxel", def, shards, static_cast<int>(arguments.number("pieces")) - 1);
        }
    });
}
