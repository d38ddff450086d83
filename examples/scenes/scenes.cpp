#include "scene.hpp"

#include "mesh/shapes.hpp"

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
    using Make = const MakeWorld&;
    using Context = const proxel::Context&;
    return {
        {"nut", [](Make make, Context context, const Choice&) { return nut::scene(make, context); }},
        {"chain", [](Make make, Context context, const Choice&) { return chain::scene(make, context); }},
        {"bowl", [](Make make, Context context, const Choice& choice) {
             return bowl::scene(make, context, choice.bodies > 0 ? choice.bodies : 100, cli::knot(800));
         }},
        {"dragons", [](Make make, Context context, const Choice& choice) {
             return bowl::scene(make, context, choice.bodies > 0 ? choice.bodies : 15, choice.mesh.empty() ? cli::rabbit(2000) : cli::read_mesh(choice.mesh));
         }},
        {"stack", [](Make make, Context context, const Choice&) { return stack::scene(make, context); }},
        {"gears", [](Make make, Context context, const Choice&) { return gears::scene(make, context); }},
        {"key", [](Make make, Context context, const Choice&) { return key::scene(make, context); }},
    };
}

} // namespace scenes
