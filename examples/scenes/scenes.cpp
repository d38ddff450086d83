#include "scene.hpp"

namespace scenes {

std::vector<Engine> engines() {
    return {
        {"Bullet", bullet_world},
#ifdef PROXEL_SCENES_JOLT
        {"Jolt", jolt_world},
#endif
    };
}

std::vector<Named> all() {
    return {
        {"nut", nut::scene},
        {"chain", [](const MakeWorld& make, const proxel::Context& context) { return chain::scene(make, context); }},
        {"bowl", [](const MakeWorld& make, const proxel::Context& context) { return bowl::scene(make, context); }},
        {"stack", stack::scene},
    };
}

} // namespace scenes
