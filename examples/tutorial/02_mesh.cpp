#include "cube.hpp"

#include <proxel.hpp>

#include <cstdio>

int main() {
    proxel::Context context = proxel::Context::open().value();
    proxel::Mesh cube = context.mesh(cube_positions(), cube_triangles(), "cube").value();
    PrxMeshFacts facts = cube.facts().value();
    std::printf("%s, volume %.2f, area %.2f\n", facts.closed ? "closed" : "open", facts.volume, facts.area);
}
