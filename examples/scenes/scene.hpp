// A scene: a world with bodies in it, what drives them, and where the eye is.
#pragma once

#include "world.hpp"

#include <functional>

namespace scenes {

using MakeWorld = std::function<std::unique_ptr<World>(const proxel::Context&, const Settings&)>;

struct Engine {
    const char* name;
    MakeWorld make;
};

// Those that this program was built with.
std::vector<Engine> engines();

struct Scene {
    std::unique_ptr<World> world;
    int steps;                             // until what it shows has happened
    std::function<void(World&)> drive;     // before each step, or none
    cli::Vec3 towards_eye{0.55f, 0.42f, 1.0f};
    std::vector<cli::Vec3> framed;

    void step() {
        if (drive) drive(*world);
        world->step();
    }
};

// A nut turns down a bolt by its own weight, without friction. Body 0 is the bolt.
namespace nut {
constexpr double pitch = 0.4, amplitude = 0.05, clearance = 0.015;
// The square of the radius of gyration about the y axis, of the nut.
Scene scene(const MakeWorld& make, const proxel::Context& context);
double gyration_squared();
} // namespace nut

// A chain, held by its first link, falls from the side and hangs.
namespace chain {
constexpr float bend = 0.15f, half_straight = 0.1f, tube = 0.06f; // of a link
constexpr float inner_length = 2 * (half_straight + bend - tube); // from middle to middle of two links when they pull
Scene scene(const MakeWorld& make, const proxel::Context& context, int links = 30);
} // namespace chain

// Copies of a closed mesh fall into a bowl, body 0.
namespace bowl {
constexpr float radius = 4;
Scene scene(const MakeWorld& make, const proxel::Context& context, int count, cli::Mesh falling);
} // namespace bowl

// Three gears in a row; the first is driven, the others turn by their teeth alone. Bodies 0, 1 and 2.
namespace gears {
constexpr int teeth[] = {16, 24, 12};
constexpr double module = 0.125, backlash = 0.08 * module; // of teeth; lengths
constexpr double radius(int gear) { return 0.5 * module * teeth[gear]; } // where teeth roll on each other
constexpr double driven_at = 1.5; // radians per second
Scene scene(const MakeWorld& make, const proxel::Context& context);
} // namespace gears

// A key falls into a lock, is turned, and pulled. The right one turns to the stop and is held; the wrong one has its notches at the other's wards.
// Body 0 is the lock, 1 the stop.
namespace key {
constexpr std::size_t body = 2;
constexpr double clearance = 0.015, collar = 0.2, dropped_from = 1.47;
constexpr int turned_at = 180, pulled_at = 480, steps = 570;
constexpr double turned_with = 1.5, pulled_with = 0.6; // radians and metres per second
constexpr double held_at = 0.026; // how far the turned key can be pulled: from its notches to the wards
Scene scene(const MakeWorld& make, const proxel::Context& context, bool right = true);
} // namespace key

// Ten boxes of a metre, of twelve triangles each, on each other and on body 0.
namespace stack {
constexpr int boxes = 10;
constexpr float thickness = 0.005f;
constexpr double height(int box) { return thickness + 0.5 + box * (1.0 + 2.0 * thickness); } // of its middle over the ground
Scene scene(const MakeWorld& make, const proxel::Context& context);
} // namespace stack

// What a scene may be told; the others do not look at it.
struct Choice {
    int bodies = 0;   // that fall into the bowl; 0 for as many as the scene has
    std::string mesh; // the file that falls as a dragon; none for a rabbit by formula
};

struct Named {
    const char* name;
    Scene (*make)(const MakeWorld&, const proxel::Context&, const Choice&);
};
std::vector<Named> all();

} // namespace scenes
