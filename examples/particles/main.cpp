// Particles rain on a body that deforms; a table says where the processor time of a frame goes.
#include "rain.hpp"

#include "picture/animation.hpp"
#include "terminal/program.hpp"
#include "terminal/usage.hpp"

#include <cstdio>

namespace {

struct Options {
    rain::RainDef rain;
    std::uint32_t frames = 240;
    std::uint32_t every = 25;
    std::string animation; // none if empty

    explicit Options(CLI::App& app) {
        cli::usage::number(app, "--particles", rain.particles, "N", "how many particles", {1, 10000000});
        cli::usage::number(app, "--frames", frames, "N", "how many frames of a 60th of a second", {1});
        cli::usage::number(app, "--every", every, "N", "of so many particles one is drawn", {1});
        cli::usage::text(app, "--animation", animation, "FILE.png", "a moving picture, one image for every third frame after the 30th");
        cli::usage::notes(app, "", "particles --particles 20000 --animation rain.png");
    }
};

void run(const Options& options) {
    const proxel::Context context = proxel::Context::open().value();
    rain::Rain rain(context, options.rain);
    std::printf("%zu particles, %zu triangles\n\n%6s %8s %10s\n", rain.particles().size(), rain.body().triangles.size(), "frame", "inside", "deepest");
    rain::Times times;
    std::vector<cli::Image> images;
    for (std::uint32_t i = 1; i <= options.frames; ++i) {
        rain.advance(times);
        if (i % 30 == 0) {
            std::printf("%6u %8zu %10.4f\n", i, rain.inside(), rain.deepest());
            std::fflush(stdout);
        }
        if (i > 30 && i % 3 == 0 && !options.animation.empty()) {
            images.emplace_back(300, 270, cli::palette::paper);
            cli::render(rain.view(options.every), images.back(), {0, 0, 300, 270});
        }
    }
    const double frames = options.frames;
    std::printf("\nprocessor time of a frame, in ms: both move %.2f, update and query %.2f, bounce %.2f\n", 1e3 * times.deform / frames,
                1e3 * times.exits / frames, 1e3 * times.bounce / frames);
    if (!options.animation.empty() && !images.empty()) cli::write_animation(options.animation, images, 20);
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Let particles rain on a body that deforms.", "particles");
    const Options options(app);
    return cli::run_program(app, argc, argv, [&] { run(options); });
}
