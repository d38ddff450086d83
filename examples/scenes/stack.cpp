#include "scene.hpp"

#include "mesh/shapes.hpp"

namespace scenes::stack {

Scene scene(const MakeWorld& make, const proxel::Context& context) {
    Settings settings;
    settings.iterations = 50;
    Scene scene{make(context, settings), 1200, {}, {0.55f, 0.25f, 1.0f}, {}};
    cli::Mesh cube = cli::box(12), slab = cli::box(12);
    for (cli::Vec3& p : cube.positions) p = 0.5f * p;
    for (cli::Vec3& p : slab.positions) p = {2 * p.x, 0.25f * p.y - 0.25f, 2 * p.z};
    BodyDef ground, box;
    ground.shape = scene.world->add_shape({slab, 128, 0});
    box.shape = scene.world->add_shape({cube, 128, thickness});
    ground.mass = 0;
    ground.friction = box.friction = 0.6f;
    scene.world->add_body(ground);
    for (int i = 0; i < boxes; ++i) {
        box.pose.translation.y = static_cast<float>(height(i));
        scene.world->add_body(box);
    }
    return scene;
}

} // namespace scenes::stack
