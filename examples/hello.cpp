// Where and how deep does this small cube touch that large one?
#include <proxel.hpp>

#include <cstdio>
#include <vector>

std::vector<float> cube(float half) {
    std::vector<float> corners;
    for (int i = 0; i < 8; ++i)
        for (int bit : {1, 2, 4}) corners.push_back((i & bit) != 0 ? half : -half);
    return corners;
}

int main() try {
    const std::vector<std::uint32_t> triangles = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                                  2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

    proxel::Context context = proxel::Context::open().value();
    std::printf("on %s\n", context.info().value().device_name);
    proxel::Mesh large = context.mesh(cube(1), triangles, "large").value();
    proxel::Mesh small = context.mesh(cube(0.5f), triangles, "small").value();

    // One of the two bodies needs a distance field: baked once, before the first frame.
    proxel::Field field = context.bake(large).value();
    field.wait().value();

    // Every frame: record the pairs that are near, submit once, read by ticket.
    PrxPose pose = prx_pose_identity();
    pose.position[0] = 1.4f;
    proxel::Batch batch = context.batch().value();
    auto ticket = batch.proximity(field, {small, pose}).value();
    batch.submit().value();
    batch.wait().value();
    PrxProximity touch = batch.read(ticket).value();
    std::printf("%s: distance %.2f at x = %.2f, on triangle %u\n", touch.penetrating ? "penetrating" : "apart", touch.distance,
                touch.point_mesh[0], touch.triangle);
} catch (const proxel::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
