// A pile of knots and rabbits in Bullet, with Proxel and with GImpact, step by step in turns.
#include "pile.hpp"

#include "failure.hpp"
#include "picture/animation.hpp"
#include "picture/png.hpp"
#include "picture/sheet.hpp"
#include "terminal/arguments.hpp"
#include "terminal/help.hpp"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>

namespace {

using namespace bullet;

const cli::Option bodies{"--bodies", "N", "how many bodies fall (default 12)"};
const cli::Option triangles{"--triangles", "N", "about how many triangles each has (default 5000)"};
const cli::Option steps{"--steps", "N", "how many steps of a 120th of a second (default 600)"};
const cli::Option resolution{"--resolution", "N", "cells along a field's longest side (default 96)"};
const cli::Option frames{"--frames", "FOLDER", "write a picture of Proxel's pile every tenth step"};
const cli::Option animation{"--animation", "FILE.png", "the same as one moving picture"};

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
    explicit Film(const cli::Arguments& arguments) : folder_(arguments.text(frames)), file_(arguments.text(animation)) {
        if (folder_) std::filesystem::create_directories(*folder_);
    }

    void take(const Pile& pile) {
        if (!folder_ && !file_) return;
        cli::Image image(270, 360, cli::palette::paper);
        cli::render(pile.view(), image, {0, 0, image.width(), image.height()});
        if (folder_) {
            char name[32];
            std::snprintf(name, sizeof name, "/frame-%04zu.png", count_);
            cli::write_png(*folder_ + name, image);
        }
        if (file_) images_.push_back(std::move(image));
        ++count_;
    }
    void finish() const {
        if (file_ && !images_.empty()) cli::write_animation(*file_, images_, 12);
    }

private:
    std::optional<std::string> folder_, file_;
    std::vector<cli::Image> images_;
    std::size_t count_ = 0;
};

void report(const char* name, const Run& run, long long count) {
    const auto per_step = 1e3 / static_cast<double>(count);
    std::printf("%-8s %8.3f ms %8.3f ms %12.5f %12.5f %12.4f\n", name, run.wall * per_step, run.processor * per_step,
                run.pile.depth(), run.pile.kinetic_energy(), run.pile.speed());
}

void run(const cli::Arguments& arguments) {
    const int count = static_cast<int>(arguments.whole(bodies, 12, 1));
    const long long step_count = arguments.whole(steps, 600, 1);
    PrxContextDef def = prx_context_def_default();
    const std::optional<std::string> device = arguments.text(cli::options::device);
    if (device && *device != "auto") def.device_name = device->c_str();
    const proxel::Context context = proxel::Context::open(def).value();
    const PileShapes shapes(context, static_cast<std::size_t>(arguments.whole(triangles, 5000, 100)),
                            static_cast<std::uint32_t>(arguments.whole(resolution, 96, 8)));
    Run ours{Pile(context, shapes, Method::proxel, count)};
    Run gimpact{Pile(context, shapes, Method::gimpact, count)};
    Film film(arguments);
    for (long long i = 0; i < step_count; ++i) {
        ours.step();
        gimpact.step();
        if (i % 10 == 0) film.take(ours.pile);
    }
    film.finish();
    std::printf("%d bodies, %lld steps, on %s\n\n%-8s %11s %11s %12s %12s %12s\n", count, step_count,
                context.info().value().device_name, "", "a step", "processor", "depth", "kinetic", "fastest");
    report("Proxel", ours, step_count);
    report("GImpact", gimpact, step_count);
}

const cli::Command command{"bullet_pile",
                           "Drop bodies that are not convex into a pen, with Proxel and with GImpact",
                           {},
                           {bodies, triangles, steps, resolution, frames, animation, cli::options::device},
                           run,
                           "Depth is how deep any body is in another or in the pen after the last step, measured on triangles."};

} // namespace

int main(int argc, char** argv) {
    try {
        const cli::Arguments arguments(command, {argv + 1, argv + argc});
        if (arguments.wants_help()) return std::fputs(cli::help(command, "").c_str(), stdout) < 0;
        run(arguments);
        return 0;
    } catch (const cli::WrongUsage& wrong) {
        std::fprintf(stderr, "bullet_pile: %s\n%s", wrong.what(), cli::usage(command, "").c_str());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bullet_pile: %s\n", error.what());
        return 1;
    }
}
