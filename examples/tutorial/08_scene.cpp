#include "cube.hpp"

#include <proxel.hpp>

#include <cstdio>

int main() {
    proxel::Context context = proxel::Context::open().value();
    proxel::Mesh cube = context.mesh(cube_positions(), cube_triangles(), "cube").value();
    proxel::Field field = context.bake(cube).value();
    field.wait().value();

    proxel::Scene scene = context.scene().value();
    PrxBody floor = proxel::body(cube, field), crate = floor;
    floor.scale = 10;
    scene.add(floor).value();
    crate.position[1] = 11.2;
    PrxObject object = scene.add(crate).value();

    const char* const events[] = {"began", "goes on", "ended"};
    for (double height : {11.2, 10.995, 10.99, 11.2}) {
        scene.move(object, PrxBodyPose{{0, height, 0}, {0, 0, 0, 1}}).value();
        proxel::SceneContacts now = scene.contacts().value();
        if (now.pairs.empty()) std::printf("at %.3f: nothing touches\n", height);
        for (const PrxContactPair& pair : now.pairs)
            std::printf("at %.3f: a contact %s, in %u points\n", height, events[pair.event], pair.manifold.contacts);
    }
}
