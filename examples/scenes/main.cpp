// A scene in each engine that is there, with times, depths and a moving picture.
#include "scene.hpp"

#include "picture/animation.hpp"
#include "terminal/program.hpp"
#include "terminal/usage.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace {

struct Options {
    std::string scene = "chain", engine, animation, mesh, device = "auto";
    std::uint32_t steps = 0, bodies = 0, every = 20, frame = 20, width = 270, height = 300;

    explicit Options(CLI::App& app) {
        std::string names;
        for (const scenes::Named& named : scenes::all()) names += (names.empty() ? "" : ", ") + std::string(named.name);
        cli::usage::text(app, "--scene", scene, "NAME", "one of " + names);
        cli::usage::text(app, "--engine", engine, "NAME", "only this engine");
        cli::usage::number(app, "--steps", steps, "N", "how many steps; 0 for as many as the scene needs", {0});
        cli::usage::number(app, "--bodies", bodies, "N", "how many fall in bowl and dragons; 0 for a hundred and fifteen", {0, 10000});
        cli::usage::text(app, "--mesh", mesh, "FILE", "a closed mesh to fall in dragons instead of the one made by formula");
        cli::usage::number(app, "--every", every, "N", "measure depth every N steps", {1});
        cli::usage::number(app, "--frame", frame, "N", "take a picture every N steps", {1});
        cli::usage::text(app, "--animation", animation, "FILE.png", "write a moving picture of the first engine");
        cli::usage::number(app, "--width", width, "PIXELS", "of the picture", {16, 4096});
        cli::usage::number(app, "--height", height, "PIXELS", "of the picture", {16, 4096});
        cli::usage::text(app, "--device", device, "NAME", "a part of the Vulkan device's name, host, or auto");
        cli::usage::notes(app, "Depth is how deep any body is in another, measured on triangles.", "scenes --scene bowl --animation bowl.png");
    }
};

void run(const Options& options) {
    PrxContextDef def = prx_context_def_default();
    if (options.device != "auto") def.device_name = options.device.c_str();
    const proxel::Context context = proxel::Context::open(def).value();
    const auto named = scenes::all();
    const auto chosen = std::find_if(named.begin(), named.end(), [&](const scenes::Named& one) { return options.scene == one.name; });
    if (chosen == named.end()) throw cli::WrongUsage("there is no scene '" + options.scene + "': --help lists them");
    std::printf("%-8s %6s %12s %10s %10s %12s %12s\n", "", "steps", "processor", "asked", "deepest", "kinetic", "energy");
    bool drawn = options.animation.empty();
    for (const scenes::Engine& engine : scenes::engines()) {
        if (!options.engine.empty() && options.engine != engine.name) continue;
        scenes::Scene scene = chosen->make(engine.make, context, {static_cast<int>(options.bodies), options.mesh});
        const std::uint32_t steps = options.steps != 0 ? options.steps : static_cast<std::uint32_t>(scene.steps);
        std::vector<cli::Image> images;
        double processor = 0, deepest = 0, asked = 0;
        for (std::uint32_t i = 0; i < steps; ++i) {
            const std::clock_t before = std::clock();
            scene.step();
            processor += static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
            asked += static_cast<double>(scene.world->pairs_asked());
            if (i % options.every == options.every - 1) deepest = std::max(deepest, scene.world->depth());
            if (drawn || i % options.frame != 0) continue;
            cli::View view = scene.world->view();
            view.towards_eye = scene.towards_eye;
            view.framed = scene.framed;
            images.emplace_back(static_cast<int>(options.width), static_cast<int>(options.height), cli::palette::paper);
            cli::render(view, images.back(), {0, 0, images.back().width(), images.back().height()});
        }
        if (!drawn) cli::write_animation(options.animation, images, 12);
        drawn = true;
        std::printf("%-8s %6u %9.3f ms %10.2f %10.5f %12.4g %12.4g\n", engine.name, steps, 1e3 * processor / steps, asked / steps, deepest,
                    scene.world->kinetic_energy(), scene.world->energy());
    }
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Runs a scene in Bullet and in Jolt, on contacts of Proxel.", "scenes");
    const Options options(app);
    return cli::run_program(app, argc, argv, [&] { run(options); });
}
