// A key falls into a lock, is turned to the stop, and cannot be pulled out. A wrong one falls in, does not turn, and can be pulled.
#include "on_engines.hpp"

#include <algorithm>
#include <cmath>

namespace {

using namespace scenes::key;

struct Story {
    double height_in = 0, angle = 0, height_out = 0, deepest = 0, rise = 0, aside = 0; // the height and the angle before it is pulled, the height after
};

Story play(const scenes::Engine& engine, const proxel::Context& context, bool right) {
    scenes::Scene scene = scenes::key::scene(engine.make, context, right);
    scenes::World& world = *scene.world;
    Story story;
    double least = world.energy(), last = 0;
    for (int i = 1; i <= scene.steps; ++i) {
        scene.step();
        const cli::Pose at = world.pose(body);
        if (i <= turned_at) { // nothing but its weight moves it
            least = std::min(least, world.energy());
            story.rise = std::max(story.rise, world.energy() - least);
        }
        if (i == turned_at) story.height_in = at.translation.y;
        const double twist = 2 * std::atan2(double(at.turn.y), double(at.scalar));
        if (i <= pulled_at) story.angle += std::remainder(twist - last, 6.283185307179586);
        last = twist;
        story.aside = std::max<double>(story.aside, i > turned_at ? std::hypot(at.translation.x, at.translation.z) : 0);
        if (i == turned_at || i == pulled_at || i == scene.steps) story.deepest = std::max(story.deepest, world.depth());
    }
    story.height_out = world.pose(body).translation.y;
    std::printf("%s: the %s key: in at %.4f, turned by %.3f, out at %.4f; aside by %.4f, deepest %.5f, energy rose by %.2g J\n", engine.name,
                right ? "right" : "wrong", story.height_in, story.angle, story.height_out, story.aside, story.deepest, story.rise);
    return story;
}

} // namespace

TEST_CASE("a key turns in its lock, and a wrong one does not") {
    test::on_engines([](const scenes::Engine& engine, const proxel::Context& context) {
        // It leans and lies aside in its two holes by no more than there is room, and hits the stop as much too early or late.
        constexpr double straight_on = 3.141592653589793, lever = 0.27; // of the stop's inner edge
        constexpr double lean = 2 * clearance / 1.3;                    // from end to end of the lock
        for (const bool right : {true, false}) {
            const Story story = play(engine, context, right);
            CHECK(story.deepest < 0.5 * clearance);
            CHECK(story.rise < 0.01);
            CHECK_NEAR(story.height_in, 0, 0.01); // its collar is on the cover
            if (right) {
                CHECK_NEAR(story.angle, straight_on, 2 * clearance / lever);
                CHECK_NEAR(story.height_out, held_at, 0.4 * lean);
            } else {
                CHECK(std::fabs(story.angle) < 0.3); // the room beside the bit in the ward's slot
                // Each step gives it its speed anew, and its weight takes a part of it.
                constexpr double step = 1.0 / 120, pulled = (scenes::key::steps - pulled_at) * step * (pulled_with - scenes::World::gravity * step);
                CHECK(story.height_out > 0.9 * pulled);
            }
        }
    });
}
