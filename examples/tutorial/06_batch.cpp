#include "cube.hpp"

#include <proxel.hpp>

#include <cstdio>

int main() {
    proxel::Context context = proxel::Context::open().value();
    proxel::Mesh cube = context.mesh(cube_positions(), cube_triangles(), "cube").value();
    proxel::Field field = context.bake(cube).value();
    field.wait().value();

    // A hundred crates, each a little higher above its own floor than the one before.
    PrxBody floor = proxel::body(cube, field), crate = floor;
    crate.scale = 0.5f;
    proxel::Batch batch = context.batch().value();
    std::vector<proxel::Ticket<proxel::Contacts>> tickets;
    for (int i = 0; i < 100; ++i) {
        crate.position[1] = 1.4505 + 0.001 * i;
        tickets.push_back(batch.contacts(floor, crate).value());
    }
    batch.submit().value();  // returns at once
    batch.wait().value();    // or poll() once per frame

    int touching = 0;
    for (const auto& ticket : tickets) touching += !batch.read(ticket).value().contacts.empty();
    std::printf("%d of %zu crates touch their floors\n", touching, tickets.size());
}
