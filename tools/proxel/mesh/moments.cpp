#include "mesh/moments.hpp"

namespace cli {

// One tetrahedron a triangle, with the origin as its fourth corner, counted negative where the triangle faces the origin.
Moments::Moments(const Mesh& mesh) {
    for (const Triangle& t : mesh.triangles) {
        const Vec3 corners[3] = {mesh.positions[t[0]], mesh.positions[t[1]], mesh.positions[t[2]]};
        const double sixth = static_cast<double>(dot(corners[0], cross(corners[1], corners[2]))) / 6.0;
        const double c[3][3] = {{corners[0].x, corners[0].y, corners[0].z},
                                {corners[1].x, corners[1].y, corners[1].z},
                                {corners[2].x, corners[2].y, corners[2].z}};
        double sum[3];
        for (int i = 0; i < 3; ++i) sum[i] = c[0][i] + c[1][i] + c[2][i];
        volume += sixth;
        for (int i = 0; i < 3; ++i) {
            first[i] += sixth * sum[i] / 4;
            for (int k = 0; k < 3; ++k) {
                const double own = c[0][i] * c[0][k] + c[1][i] * c[1][k] + c[2][i] * c[2][k];
                second[i][k] += sixth * (own + sum[i] * sum[k]) / 20;
            }
        }
    }
}

Vec3 Moments::centre() const {
    return {static_cast<float>(first[0] / volume), static_cast<float>(first[1] / volume), static_cast<float>(first[2] / volume)};
}

} // namespace cli
