// For ../volume_truth.py: reads lines with two PLY files and writes the volume that they share with its bounds: exactly, then by 128 x 128 rays.
#include <iostream>

#include "body.hpp"
#include "contestant.hpp"

int main() try {
    Context context;
    std::cout.precision(17);
    for (std::string first, second; std::cin >> first >> second;) {
        const Mesh mesh = read_mesh(first), other = read_mesh(second);
        const PrxMesh a = create_body(context, mesh, mesh.points), b = create_body(context, other, other.points);
        PrxExactIntersection exact{};
        must(prx_mesh_exact_intersection(context, a, nullptr, b, nullptr, &exact), context);
        PrxLdiDef def = prx_ldi_def_default();
        def.resolution = 128;
        PrxIntersectionVolume rays{};
        must(prx_mesh_intersection_volume(context, a, nullptr, b, nullptr, &def, &rays, nullptr), context);
        std::cout << exact.volume << ' ' << exact.lower << ' ' << exact.upper << ' ' << exact.disagreeing_a + exact.disagreeing_b << ' '
                  << rays.volume << ' ' << rays.lower << ' ' << rays.upper << std::endl;
        must(prx_mesh_destroy(context, a), context);
        must(prx_mesh_destroy(context, b), context);
    }
    return 0;
} catch (const std::exception& problem) {
    std::cerr << problem.what() << std::endl;
    return 1;
}
