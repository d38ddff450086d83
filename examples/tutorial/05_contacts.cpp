#include "cube.hpp"

#include <proxel.hpp>

#include <cstdio>

int main() {
    proxel::Context context = proxel::Context::open().value();
    proxel::Mesh cube = context.mesh(cube_positions(), cube_triangles(), "cube").value();
    proxel::Field field = context.bake(cube).value();
    field.wait().value();

    PrxBody floor = proxel::body(cube, field), crate = floor;  // bodies share a mesh and a field,
    floor.scale = 10;                                          // in any size
    crate.position[1] = 10.99;                                 // a hundredth deep in the floor

    PrxContactsDef def = prx_contacts_def_default();
    def.distance = 0.05f;  // contacts are reported before bodies touch
    proxel::Contacts touching = context.contacts(floor, crate, def).value();
    for (const PrxContact& c : touching.contacts)
        std::printf("at (%+.2f, %.2f, %+.2f), normal (%.0f, %.0f, %.0f), separation %.2f\n", c.world_b[0], c.world_b[1], c.world_b[2],
                    c.normal[0], c.normal[1], c.normal[2], c.separation);
}
