// Leaves fall from a tree, or a body breaks while it is watched; a table says what a frame takes by each way of culling.
#include "shards.hpp"
#include "tree.hpp"

#include "failure.hpp"
#include "mesh/shapes.hpp"
#include "picture/animation.hpp"
#include "picture/png.hpp"
#include "terminal/program.hpp"
#include "terminal/usage.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace {

using namespace fall;

struct Options {
    TreeDef tree;
    bool breaks = false;
    std::uint32_t frames = 60;
    std::string mesh, picture, animation; // none if empty

    explicit Options(CLI::App& app) {
        cli::usage::number(app, "--leaves", tree.leaves, "N", "how many leaves fall", {1, 10000});
        cli::usage::flag(app, "--breaks", breaks, "a body that breaks instead of a tree");
        cli::usage::text(app, "--mesh", mesh, "FILE", "what breaks, instead of an animal made by formula");
        cli::usage::number(app, "--frames", frames, "N", "how many frames", {1});
        cli::usage::text(app, "--picture", picture, "FILE.png", "the last frame; triangles that meet others are red");
        cli::usage::text(app, "--animation", animation, "FILE.png", "every second frame as a moving picture");
        cli::usage::notes(app,
                          "Each frame is asked twice, by hierarchies and by visibility, which must find the same pairs; if they do not, the exit code\n"
                          "is 1. Times are of the processor, all threads together.",
                          "leaves --frames 90 --animation leaves.png");
    }
};

cli::Image draw(const cli::View& view) {
    cli::Image image(480, 480, cli::palette::paper);
    cli::render(view, image, {0, 0, image.width(), image.height()});
    return image;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

template <class Scene>
void watch(const Options& options, Scene& scene, bool draws) {
    PrxCullDef ways[2] = {prx_cull_def_default(), prx_cull_def_default()};
    ways[1].method = PRX_CULL_METHOD_VISIBILITY;
    const char* names[2] = {"hierarchies", "visibility"};
    std::vector<double> change, collide[2];
    std::vector<cli::Image> images;
    std::vector<PrxScenePair> pairs;
    std::printf("%6s %8s %10s %10s %12s %12s\n", "frame", "bodies", "triangles", "pairs", "box pairs", "visible");
    for (std::uint32_t frame = 1; frame <= options.frames; ++frame) {
        double before = processor_seconds();
        scene.advance();
        change.push_back(processor_seconds() - before);
        PrxCullStats stats[2]{};
        std::vector<PrxScenePair> found[2];
        for (int way = 0; way < (draws ? 2 : 1); ++way) {
            before = processor_seconds();
            found[way] = scene.crowd().collisions(ways[way], &stats[way]);
            collide[way].push_back(processor_seconds() - before);
        }
        if (draws && found[0].size() != found[1].size())
            throw cli::Failure("hierarchies find " + std::to_string(found[0].size()) + " pairs, visibility " + std::to_string(found[1].size()));
        pairs = std::move(found[0]);
        if (frame % std::max(1u, options.frames / 10) == 0)
            std::printf("%6u %8zu %10zu %10zu %12llu %12llu\n", frame, scene.crowd().things().size(), scene.crowd().triangles(), pairs.size(),
                        static_cast<unsigned long long>(stats[0].box_pairs), static_cast<unsigned long long>(stats[1].object_pairs));
        if (frame % 2 == 0 && !options.animation.empty()) images.push_back(draw(scene.view(pairs)));
    }
    std::printf("\nmedian of a frame: %.2f ms to change the bodies", 1e3 * median(change));
    for (int way = 0; way < (draws ? 2 : 1); ++way) std::printf(", %.2f ms to collide by %s", 1e3 * median(collide[way]), names[way]);
    std::printf("\n");
    if (!options.picture.empty()) cli::write_png(options.picture, draw(scene.view(pairs)));
    if (!images.empty()) cli::write_animation(options.animation, images, 15);
}

void run(const Options& options) {
    const proxel::Context context = proxel::Context::open().value();
    const PrxContextInfo info = context.info().value();
    std::printf("on %s\n\n", info.device_name);
    const bool draws = info.device_type != PRX_DEVICE_TYPE_HOST;
    if (options.breaks) {
        Shards shards(context, options.mesh.empty() ? cli::rabbit(40000) : cli::read_mesh(options.mesh));
        watch(options, shards, draws);
    } else {
        Tree tree(context, options.tree);
        watch(options, tree, draws);
    }
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Let leaves fall from a tree, or break a body while it is watched.", "leaves");
    const Options options(app);
    return cli::run_program(app, argc, argv, [&] { run(options); });
}
