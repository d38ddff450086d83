// A pile of knots and rabbits in Bullet, with Proxel and with GImpact, step by step in turns.
#include "pile.hpp"

#include "picture/animation.hpp"
#include "picture/png.hpp"
#include "picture/sheet.hpp"
#include "terminal/program.hpp"
#include "terminal/usage.hpp"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>

namespace {

using namespace bullet;

struct Options {
    std::uint32_t bodies = 12;
    std::uint32_t triangles = 5000;
    std::uint32_t steps = 600;
    std::uint32_t resolution = 96;
    std::string frames, animation; // none if empty
    std::string device = "auto";

    explicit Options(CLI::App& app) {
        cli::usage::number(app, "--bodies", bodies, "N", "how many bodies fall", {1, 100000});
        cli::usage::number(app, "--triangles", triangles, "N", "about how many triangles each has", {100});
        cli::usage::number(app, "--steps", steps, "N", "how many steps of a 120th of a second", {1});
        cli::usage::number(app, "--resolution", resolution, "N", "cells along a field's longest side", {8});
        cli::usage::text(app, "--frames", frames, "FOLDER", "write a picture of Proxel's pile every tenth step");
        cli::usage::text(app, "--animation", animation, "FILE.png", "the same as one moving picture");
        cli::usage::text(app, "--device", device, "NAME", "a part of the Vulkan device's name, or auto");
        cli::usage::notes(app, "Depth is how deep any body is in another or in the pen after the last step, measured on triangles.",
                          "bullet_pile --bodies 20 --animation pile.png");
    }
};

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// One of the two piles, and what it took.
struct Run {
    Pile pile;
    double wall = 0, processor = 0;

    void step() {
        const double wall_before = seconds(), processor_before = processor_seconds();
        pile.step();
        wall += seconds() - wall_before;
        processor += processor_seconds() - processor_before;
    }
};

class Film {
public:
    explicit Film(const Options& options) : folder_(options.frames), file_(options.animation) {
        if (!folder_.empty()) std::filesystem::create_directories(folder_);
    }

    void take(const Pile& pile) {
        if (folder_.empty() && file_.empty()) return;
        cli::Image image(270, 360, cli::palette::paper);
        cli::render(pile.view(), image, {0, 0, image.width(), image.height()});
        if (!folder_.empty()) {
            char name[32];
            std::snprintf(name, sizeof name, "/frame-%04zu.png", count_);
            cli::write_png(folder_ + name, image);
        }
        if (!file_.empty()) images_.push_back(std::move(image));
        ++count_;
    }
    void finish() const {
        if (!images_.empty()) cli::write_animation(file_, images_, 12);
    }

private:
    std::string folder_, file_;
    std::vector<cli::Image> images_;
    std::size_t count_ = 0;
};

void report(const char* name, const Run& run, std::uint32_t count) {
    const auto per_step = 1e3 / static_cast<double>(count);
    std::printf("%-8s %8.3f ms %8.3f ms %12.5f %12.5f %12.4f\n", name, run.wall * per_step, run.processor * per_step,
                run.pile.depth(), run.pile.kinetic_energy(), run.pile.speed());
}

void run(const Options& options) {
    PrxContextDef def = prx_context_def_default();
    if (options.device != "auto") def.device_name = options.device.c_str();
    const proxel::Context context = proxel::Context::open(def).value();
    const PileShapes shapes(context, options.triangles, options.resolution);
    const int count = static_cast<int>(options.bodies);
    Run ours{Pile(context, shapes, Method::proxel, count)};
    Run gimpact{Pile(context, shapes, Method::gimpact, count)};
    Film film(options);
    for (std::uint32_t i = 0; i < options.steps; ++i) {
        ours.step();
        gimpact.step();
        if (i % 10 == 0) film.take(ours.pile);
    }
    film.finish();
    std::printf("%d bodies, %u steps, on %s\n\n%-8s %11s %11s %12s %12s %12s\n", count, options.steps,
                context.info().value().device_name, "", "a step", "processor", "depth", "kinetic", "fastest");
    report("Proxel", ours, options.steps);
    report("GImpact", gimpact, options.steps);
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Drop bodies that are not convex into a pen, with Proxel and with GImpact.", "bullet_pile");
    const Options options(app);
    return cli::run_program(app, argc, argv, [&] { run(options); });
}
