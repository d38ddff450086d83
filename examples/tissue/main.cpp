// A probe presses into tissue, slides and withdraws; a table has the force on it.
#include "scene.hpp"

#include "picture/animation.hpp"
#include "terminal/program.hpp"
#include "terminal/usage.hpp"

#include <cstdio>

namespace {

using namespace probing;

struct Options {
    SceneDef scene;
    std::string animation; // none if empty

    explicit Options(CLI::App& app) {
        cli::usage::number(app, "--cells", scene.cells, "N", "cells of the tissue along a side", {2, 100});
        cli::usage::number(app, "--depth", scene.depth, "D", "how far the probe presses; the tissue is 0.8 high", {0, 0.6});
        cli::usage::text(app, "--animation", animation, "FILE.png", "a moving picture, one image for every sixth step");
        cli::usage::notes(app, "A force of 0 after the probe has left says that nothing sticks.", "tissue --animation tissue.png");
    }
};

void run(const Options& options) {
    const proxel::Context context = proxel::Context::open().value();
    Scene scene(context, options.scene);
    std::printf("%zu tetrahedra\n\n%6s %9s %24s %24s %9s %7s\n", scene.tissue().tetrahedra().size(), "time", "contacts", "force on the probe",
                "force on the ground", "deepest", "inside");
    std::vector<cli::Image> images;
    const int steps = static_cast<int>((Scene::gone + 1) / options.scene.step);
    for (int i = 1; i <= steps; ++i) {
        scene.advance();
        if (i % 40 == 0) {
            const Vec3 f = scene.force_on_probe(), g = scene.force_on_anchors();
            const auto d = [](float x) { return static_cast<double>(x); };
            std::printf("%6.2f %9zu %8.3f%8.3f%8.3f %8.3f%8.3f%8.3f %9.4f %7zu\n", d(scene.time()), scene.contacts(), d(f.x), d(f.y), d(f.z), d(g.x),
                        d(g.y), d(g.z), d(scene.deepest()), scene.vertices_inside());
            std::fflush(stdout);
        }
        if (i % 6 == 0 && !options.animation.empty()) {
            images.emplace_back(340, 250, cli::palette::paper);
            cli::render(scene.view(), images.back(), {0, 0, 340, 250});
        }
    }
    if (!images.empty()) cli::write_animation(options.animation, images, 20);
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Press a probe into soft tissue.", "tissue");
    const Options options(app);
    return cli::run_program(app, argc, argv, [&] { run(options); });
}
