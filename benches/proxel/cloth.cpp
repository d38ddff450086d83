// A cloth falls over a body that moves and deforms (examples/cloth): what one stage of a step takes, or all of it. A turn is ten steps,
// after enough of them that the cloth lies on the body.
#include "contestant.hpp"

#include "scene.hpp"

#include <numeric>

namespace {

double chosen(const drape::Times& times, const std::string& stage) {
    if (stage == "whole") return std::accumulate(times.begin(), times.end(), 0.0);
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (stage == drape::stage_names[i]) return times[i];
    }
    throw std::runtime_error("there is no stage '" + stage + "'");
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        constexpr int settling = 150, steps = 10;
        const std::string stage = arguments.text("stage");
        const proxel::Context context = proxel::Context::open().value();
        drape::SceneDef def;
        def.side = static_cast<std::uint32_t>(arguments.number("side"));
        drape::Scene scene(context, def);
        drape::Times untimed{};
        for (int i = 0; i < settling; ++i) scene.advance(untimed);
        contest::compete("proxel", [&](const contest::Turn&) {
            drape::Times times{};
            for (int i = 0; i < steps; ++i) scene.advance(times);
            contest::Sample sample{chosen(times, stage) / steps};
            sample.calls = steps;
            sample.extra = "\"near_body\": " + std::to_string(scene.near_body()) + ", \"near_itself\": " + std::to_string(scene.near_itself()) +
                           ", \"triangles\": " + std::to_string(scene.fabric().mesh().triangles.size());
            return sample;
        });
    });
}
