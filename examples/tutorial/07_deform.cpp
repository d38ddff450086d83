#include <proxel.hpp>

#include <cmath>
#include <cstdio>

// A sheet of `side` x `side` vertices over [-1, 1] x [-1, 1].
struct Sheet {
    static constexpr int side = 65;
    std::vector<float> positions;
    std::vector<std::uint32_t> triangles;

    Sheet() : positions(3 * side * side) {
        for (std::uint32_t z = 0; z + 1 < side; ++z)
            for (std::uint32_t x = 0; x + 1 < side; ++x) {
                const std::uint32_t a = z * side + x, b = a + 1, c = a + side, d = c + 1;
                triangles.insert(triangles.end(), {a, c, b, b, c, d});
            }
        sag(0);
    }
    // Lets its middle hang down by `depth`.
    void sag(float depth) {
        for (int z = 0; z < side; ++z)
            for (int x = 0; x < side; ++x) {
                const float u = 2.0f * x / (side - 1) - 1, v = 2.0f * z / (side - 1) - 1;
                float* p = &positions[3 * (z * side + x)];
                p[0] = u, p[1] = 1.5f - depth * (1 - u * u) * (1 - v * v), p[2] = v;
            }
    }
};

int main() {
    proxel::Context context = proxel::Context::open().value();
    Sheet sheet;
    proxel::Mesh cloth = context.mesh(sheet.positions, sheet.triangles, "cloth", PRX_MESH_DEFORMING).value();
    PrxFieldDef def = prx_field_def_default();
    def.padding = 1;       // how far around the ball distances are known
    def.resolution = 128;  // and how finely
    proxel::Field ball = context.field_from_shape(prx_shape_default(), def).value();  // a unit ball, by its formula

    for (int frame = 0; frame <= 4; ++frame) {
        sheet.sag(0.15f * frame);
        cloth.update(sheet.positions).value();  // what the simulation just computed
        PrxProximity nearest = context.proximity(ball, cloth).value();
        std::printf("frame %d: the cloth is %.2f from the ball\n", frame, nearest.distance);
    }
}
