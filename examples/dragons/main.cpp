// Dragons fall onto a deforming floor; a table says where the time of a frame goes.
#include "scene.hpp"

#include "mesh/shapes.hpp"
#include "picture/animation.hpp"
#include "picture/png.hpp"
#include "terminal/program.hpp"
#include "terminal/usage.hpp"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <numeric>

namespace {

using namespace dragons;

struct Options {
    SceneDef scene;
    std::uint32_t bodies = static_cast<std::uint32_t>(scene.bodies);
    std::uint32_t triangles = 20000;
    std::uint32_t frames = 480;
    std::string mesh, pictures, animation; // none if empty
    std::string device = "auto";

    explicit Options(CLI::App& app) {
        cli::usage::number(app, "--bodies", bodies, "N", "how many fall", {1, 100000});
        cli::usage::number(app, "--triangles", triangles, "N", "about how many triangles each has", {100});
        cli::usage::text(app, "--mesh", mesh, "FILE", "a closed mesh to fall instead of the one made by formula");
        cli::usage::number(app, "--frames", frames, "N", "how many frames of a 240th of a second", {1});
        cli::usage::number(app, "--resolution", scene.field_resolution, "N", "cells along the field's longest side", {8});
        cli::usage::text(app, "--pictures", pictures, "FOLDER", "write a picture every eighth frame");
        cli::usage::text(app, "--animation", animation, "FILE.png", "the same as one moving picture");
        cli::usage::text(app, "--device", device, "NAME", "a part of the Vulkan device's name, or auto");
        cli::usage::notes(app,
                          "Bodies share one mesh and one field; each has a place of its own. The first frame, which makes the kernels, is not in\n"
                          "the table.",
                          "dragons --bodies 5 --frames 240 --animation dragons.png");
    }
};

// Processor time of all threads counts what the machine does for others not at all.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

cli::Image picture(const Scene& scene) {
    cli::Image image(360, 243, cli::palette::paper);
    cli::render(scene.view(), image, {0, 0, image.width(), image.height()});
    return image;
}

void print_table(const Times& times, double whole, double processor, double count) {
    std::printf("\n%-14s %10s %7s\n", "stage", "a frame", "share");
    for (std::size_t i = 0; i < times.size(); ++i)
        std::printf("%-14s %7.3f ms %6.1f %%\n", stage_names[i], 1e3 * times[i] / count, 100 * times[i] / whole);
    const double outside = whole - times[static_cast<std::size_t>(Stage::device)];
    std::printf("%-14s %7.3f ms\n%-14s %7.3f ms %6.1f %%\n%-14s %7.3f ms\n", "whole frame", 1e3 * whole / count, "off the device",
                1e3 * outside / count, 100 * outside / whole, "processor", 1e3 * processor / count);
}

void run(const Options& options) {
    PrxContextDef context_def = prx_context_def_default();
    if (options.device != "auto") context_def.device_name = options.device.c_str();
    const proxel::Context context = proxel::Context::open(context_def).value();

    SceneDef def = options.scene;
    def.bodies = static_cast<int>(options.bodies);
    const double begin = seconds();
    Scene scene(context, options.mesh.empty() ? cli::rabbit(options.triangles) : cli::read_mesh(options.mesh), def);
    std::printf("%d bodies, %zu triangles in all, on %s; made ready in %.1f s\n\n%6s %7s %9s %9s %9s %11s\n", def.bodies,
                scene.triangles(), context.info().value().device_name, seconds() - begin, "frame", "pairs", "contacts", "depth",
                "energy", "a frame");

    const std::string &folder = options.pictures, &film = options.animation;
    if (!folder.empty()) std::filesystem::create_directories(folder);
    std::vector<cli::Image> images;
    Times first{}, times{};
    const long long count = options.frames;
    double before = 0, processor = 0;
    for (long long i = 1; i <= count; ++i) {
        const double processor_before = processor_seconds();
        scene.advance(i == 1 ? first : times); // the first frame makes the kernels
        if (i > 1) processor += processor_seconds() - processor_before;
        if (i % 8 == 0 && !(folder.empty() && film.empty())) {
            images.push_back(picture(scene));
            char name[32];
            std::snprintf(name, sizeof name, "/frame-%04lld.png", i);
            if (!folder.empty()) cli::write_png(folder + name, images.back());
        }
        const long long every = std::max(1ll, count / 10);
        if (i % every == 0) {
            const double sum = std::accumulate(times.begin(), times.end(), 0.0);
            std::printf("%6lld %7zu %9zu %9.4f %9.1f %8.2f ms\n", i, scene.pairs(), scene.contacts(), scene.depth(), scene.energy(),
                        1e3 * (sum - before) / static_cast<double>(every));
            std::fflush(stdout);
            before = sum;
        }
    }
    print_table(times, std::accumulate(times.begin(), times.end(), 0.0), processor,
                static_cast<double>(std::max(1ll, count - 1)));
    if (!film.empty() && !images.empty()) cli::write_animation(film, images, 15);
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Let bodies of many triangles fall onto a floor that deforms.", "dragons");
    const Options options(app);
    return cli::run_program(app, argc, argv, [&] { run(options); });
}
