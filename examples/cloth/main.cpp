// A cloth falls over a body that sways; a table says where the processor time of a step goes.
#include "scene.hpp"

#include "failure.hpp"
#include "picture/animation.hpp"
#include "terminal/program.hpp"
#include "terminal/usage.hpp"

#include <cstdio>
#include <numeric>

namespace {

using namespace drape;

struct Options {
    SceneDef scene;
    std::uint32_t steps = 720;
    std::string animation; // none if empty

    explicit Options(CLI::App& app) {
        cli::usage::number(app, "--side", scene.side, "N", "vertices along a side of the cloth", {8, 1000});
        cli::usage::number(app, "--steps", steps, "N", "how many steps of a 240th of a second", {1});
        cli::usage::text(app, "--animation", animation, "FILE.png", "a moving picture, one image for every twelfth step");
        cli::usage::notes(app,
                          "After every fourth step, which is a 60th of a second, an exact query counts the triangles that intersect. It is not\n"
                          "in the table, and if it finds one the exit code is 1.",
                          "cloth --side 48 --animation cloth.png");
    }
};

void run(const Options& options) {
    const proxel::Context context = proxel::Context::open().value();
    Scene scene(context, options.scene);
    std::printf("%zu triangles of cloth, %zu of the body\n\n%6s %10s %10s %14s %8s\n", scene.fabric().mesh().triangles.size(),
                scene.body().mesh().triangles.size(), "step", "near body", "near self", "intersections", "lowest");
    Times times{};
    std::size_t crossed = 0;
    std::vector<cli::Image> images;
    for (std::uint32_t i = 1; i <= options.steps; ++i) {
        scene.advance(times);
        if (i % 4 == 0) crossed += scene.intersections();
        if (i % 60 == 0) {
            std::printf("%6u %10zu %10zu %14zu %8.3f\n", i, scene.near_body(), scene.near_itself(), crossed, static_cast<double>(scene.lowest()));
            std::fflush(stdout);
        }
        if (i % 12 == 0 && !options.animation.empty()) {
            images.emplace_back(340, 250, cli::palette::paper);
            cli::render(scene.view(), images.back(), {0, 0, 340, 250});
        }
    }
    const double whole = std::accumulate(times.begin(), times.end(), 0.0);
    std::printf("\n%-14s %10s %7s\n", "stage", "a step", "share");
    for (std::size_t i = 0; i < times.size(); ++i)
        std::printf("%-14s %7.3f ms %6.1f %%\n", stage_names[i], 1e3 * times[i] / options.steps, 100 * times[i] / whole);
    std::printf("%-14s %7.3f ms\n", "whole step", 1e3 * whole / options.steps);
    if (!options.animation.empty() && !images.empty()) cli::write_animation(options.animation, images, 20);
    if (crossed > 0) throw cli::Failure(std::to_string(crossed) + " pairs of triangles intersected");
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Let a cloth fall over a body that moves and deforms.", "cloth");
    const Options options(app);
    return cli::run_program(app, argc, argv, [&] { run(options); });
}
