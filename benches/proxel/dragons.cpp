// Bodies of many triangles fall onto a deforming floor (examples/dragons): what one stage of a frame takes, or all of it. A turn is
// ten frames, after enough of them that bodies touch.
#include "contestant.hpp"

#include "mesh/shapes.hpp"
#include "scene.hpp"

#include <numeric>

namespace {

double chosen(const dragons::Times& times, const std::string& stage) {
    const double whole = std::accumulate(times.begin(), times.end(), 0.0);
    if (stage == "whole") return whole;
    if (stage == "outside") return whole - times[static_cast<std::size_t>(dragons::Stage::device)];
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (stage == dragons::stage_names[i]) return times[i];
    }
    throw std::runtime_error("there is no stage '" + stage + "'");
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        constexpr int settling = 100, frames = 10;
        const std::string stage = arguments.text("stage");
        const proxel::Context context = proxel::Context::open().value();
        dragons::SceneDef def;
        def.bodies = static_cast<int>(arguments.number("bodies"));
        dragons::Scene scene(context, cli::rabbit(static_cast<std::size_t>(arguments.number("triangles"))), def);
        dragons::Times untimed{};
        for (int i = 0; i < settling; ++i) scene.advance(untimed);
        contest::compete(std::string("proxel on ") + context.info().value().device_name, [&](const contest::Turn&) {
            dragons::Times times{};
            for (int i = 0; i < frames; ++i) scene.advance(times);
            contest::Sample sample{chosen(times, stage) / frames};
            sample.calls = frames;
            sample.extra = "\"pairs\": " + std::to_string(scene.pairs()) + ", \"contacts\": " + std::to_string(scene.contacts()) +
                           ", \"depth\": " + std::to_string(scene.depth()) + ", \"triangles\": " + std::to_string(scene.triangles());
            return sample;
        });
    });
}
