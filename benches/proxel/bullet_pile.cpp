// A pile of bodies that are not convex in Bullet (examples/bullet): method=proxel or method=gimpact. A turn is twenty steps; the report
// also has the processor time of a step and how deep anything is in anything else, measured on triangles.
#include "contestant.hpp"

#include "pile.hpp"

#include <ctime>

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        constexpr int settling = 120, steps = 20;
        const bool ours = arguments.text("method") == "proxel";
        const proxel::Context context = proxel::Context::open().value();
        const bullet::PileShapes shapes(context, static_cast<std::size_t>(arguments.number("triangles")), 96);
        bullet::Pile pile(context, shapes, ours ? bullet::Method::proxel : bullet::Method::gimpact,
                          static_cast<int>(arguments.number("bodies")));
        for (int i = 0; i < settling; ++i) pile.step();
        const std::string about = ours ? std::string("Bullet with proxel on ") + context.info().value().device_name : "Bullet with GImpact";
        contest::compete(about, [&](const contest::Turn&) {
            const std::clock_t before = std::clock();
            contest::Sample sample{contest::seconds_of([&] {
                                       for (int i = 0; i < steps; ++i) pile.step();
                                   }) /
                                   steps};
            const double processor = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC / steps;
            sample.calls = steps;
            sample.extra = "\"processor_seconds\": " + std::to_string(processor) + ", \"depth\": " + std::to_string(pile.depth()) +
                           ", \"kinetic_energy\": " + std::to_string(pile.kinetic_energy());
            return sample;
        });
    });
}
