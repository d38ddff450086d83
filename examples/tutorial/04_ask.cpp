#include "cube.hpp"

#include <proxel.hpp>

#include <cstdio>

int main() {
    proxel::Context context = proxel::Context::open().value();
    proxel::Mesh cube = context.mesh(cube_positions(), cube_triangles(), "cube").value();

    PrxPose aside = prx_pose_identity();
    aside.position[0] = 3.5f;
    PrxDistance gap = context.distance(cube, {cube, aside}).value();
    std::printf("%.2f apart\n", gap.distance);

    aside.position[0] = 1.5f;
    PrxExactIntersection shared = context.exact_intersection(cube, {cube, aside}).value();
    std::printf("volume %.2f in common, give or take %.0e\n", shared.volume, shared.upper - shared.lower);
}
