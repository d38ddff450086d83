#include "cube.hpp"

#include <proxel.hpp>

#include <cstdio>

int main() {
    proxel::Context context = proxel::Context::open().value();
    proxel::Mesh cube = context.mesh(cube_positions(), cube_triangles(), "cube").value();

    PrxFieldDef def = prx_field_def_default();
    def.resolution = 32;  // cells along the longest side
    proxel::Field field = context.bake(cube, def).value();
    field.wait().value();  // it is baked by the context's threads; a game does something else meanwhile

    const float point[] = {1.1f, 0, 0};
    PrxSample sample = field.sample(point).value().front();
    std::printf("distance %.3f, certainly from %.3f to %.3f, normal (%.0f, %.0f, %.0f)\n", sample.distance, sample.lower, sample.upper,
                sample.normal[0], sample.normal[1], sample.normal[2]);
}
