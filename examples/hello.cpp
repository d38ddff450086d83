// Where is this tetrahedron, a quarter turn about z and two to the right?
#include <proxel.hpp>

#include <cstdio>
#include <vector>

int main() try {
    const std::vector<float> positions = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
    const std::vector<std::uint32_t> indices = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};

    proxel::Context context = proxel::Context::open().value();
    std::printf("on %s\n", context.info().value().device_name);

    proxel::Mesh mesh = context.mesh(positions, indices, "tetrahedron").value();
    PrxMeshFacts facts = mesh.facts().value();
    std::printf("closed: %s, volume: %g\n", facts.closed ? "yes" : "no", facts.volume);

    PrxPose pose = prx_pose_identity();
    pose.position[0] = 2;
    pose.rotation[2] = pose.rotation[3] = 0.70710678f;

    // Record queries, submit once, read by ticket.
    proxel::Batch batch = context.batch().value();
    auto ticket = batch.bounds(mesh, pose).value();
    batch.submit().value();
    batch.wait().value();
    PrxBounds box = batch.read(ticket).value();
    std::printf("bounds: (%.3f %.3f %.3f) to (%.3f %.3f %.3f)\n", box.min[0], box.min[1], box.min[2], box.max[0], box.max[1],
                box.max[2]);
} catch (const proxel::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
