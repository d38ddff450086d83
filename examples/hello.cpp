// Where does this small cube touch that large one: at which points, along which normal, how deep?
#include <proxel.hpp>

#include <cstdio>
#include <vector>

int main() try {
    std::vector<float> corners;
    for (int i = 0; i < 8; ++i)
        for (int bit : {1, 2, 4}) corners.push_back((i & bit) != 0 ? 1.0f : -1.0f);
    const std::vector<std::uint32_t> triangles = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                                  2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

    proxel::Context context = proxel::Context::open().value();
    std::printf("on %s\n", context.info().value().device_name);

    // Before the first frame: a mesh and its distance field, which bodies of all sizes share.
    proxel::Mesh cube = context.mesh(corners, triangles, "cube").value();
    proxel::Field field = context.bake(cube).value();
    field.wait().value();
    PrxBody large = proxel::body(cube, field), small = large;
    small.scale = 0.5f;

    // Every frame: record the pairs that are near, submit once, read by ticket. The next frame hands the contacts back.
    small.position[0] = 1.49;
    proxel::Batch batch = context.batch().value();
    auto ticket = batch.contacts(large, small).value();
    batch.submit().value();
    batch.wait().value();
    for (const PrxContact& c : batch.read(ticket).value().contacts)
        std::printf("at (%.2f, %.2f, %.2f), normal (%.0f, %.0f, %.0f), separation %.2f\n", c.world_b[0], c.world_b[1], c.world_b[2],
                    c.normal[0], c.normal[1], c.normal[2], c.separation);
} catch (const proxel::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
