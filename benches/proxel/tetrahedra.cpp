// Vertices inside tetrahedra of two deforming blocks, given anew in every turn: nothing is kept between calls.
#include <cmath>

#include "contestant.hpp"
#include "context.hpp"
#include "poses.hpp"

namespace {

struct Block {
    std::vector<std::array<float, 3>> points;
    std::vector<std::array<uint32_t, 4>> tetrahedra;
};

// The unit cube cut into cells^3 cubes and each of them into six tetrahedra around its diagonal.
Block block(uint32_t cells) {
    Block out;
    const uint32_t side = cells + 1;
    for (uint32_t i = 0; i < side * side * side; ++i) {
        const uint32_t at[3] = {i % side, i / side % side, i / side / side};
        out.points.push_back({float(at[0]) / float(cells), float(at[1]) / float(cells), float(at[2]) / float(cells)});
    }
    const uint32_t step[3] = {1, side, side * side};
    const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (uint32_t z = 0; z < cells; ++z)
        for (uint32_t y = 0; y < cells; ++y)
            for (uint32_t x = 0; x < cells; ++x)
                for (const auto& order : orders) {
                    std::array<uint32_t, 4> corners{x + side * (y + side * z)};
                    for (int k = 0; k < 3; ++k) corners[k + 1] = corners[k] + step[order[k]];
                    out.tetrahedra.push_back(corners);
                }
    return out;
}

// A wave of 3 % runs through the block, which then goes aside.
std::vector<std::array<float, 3>> waving(const Block& block, double phase, double aside) {
    auto out = block.points;
    for (size_t i = 0; i < out.size(); ++i)
        for (int axis = 0; axis < 3; ++axis)
            out[i][axis] += static_cast<float>(0.03 * std::sin(7 * block.points[i][(axis + 1) % 3] + phase) + (axis == 0 ? aside : 0.013));
    return out;
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const long wanted = arguments.number("tetrahedra");
        const Block body = block(static_cast<uint32_t>(std::lround(std::cbrt(double(wanted) / 12))));
        if (2 * static_cast<long>(body.tetrahedra.size()) != wanted) throw std::runtime_error("tetrahedra is not twelve times a cube");
        PrxContextDef def = prx_context_def_default();
        def.worker_threads = static_cast<uint32_t>(arguments.number("threads"));
        Context context(def);
        std::vector<PrxVertexInside> inside(body.points.size() * 2);
        contest::compete(context.about(), [&](const contest::Turn& turn) {
            const double phase = 2 * M_PI * turn.fraction;
            const auto one = waving(body, phase, 0), two = waving(body, 1 - phase, 0.9);
            PrxTetrahedralBody bodies[2];
            for (int k = 0; k < 2; ++k)
                bodies[k] = {(k == 0 ? one : two).data()->data(), body.tetrahedra.data()->data(),
                             static_cast<uint32_t>(body.points.size()), static_cast<uint32_t>(body.tetrahedra.size())};
            uint64_t found = 0;
            const double seconds = contest::seconds_of(
                [&] { must(prx_tetrahedra_inside(context, bodies, 2, inside.data(), inside.size(), &found), context); });
            return contest::Sample{seconds, {double(found)}};
        });
    });
}
