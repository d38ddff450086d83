// Bounds of a mesh: submit, wait, read. mode=batch submits a recorded batch again, mode=call is the synchronous call.
#include <random>

#include "contestant.hpp"
#include "context.hpp"

namespace {

// The box must be the exact one under the identity: a fast wrong answer is no result.
void check(const PrxBounds& found, const std::vector<float>& positions) {
    for (int axis = 0; axis < 3; ++axis) {
        float low = positions[axis], high = positions[axis];
        for (size_t i = axis; i < positions.size(); i += 3) {
            low = std::min(low, positions[i]);
            high = std::max(high, positions[i]);
        }
        if (found.min[axis] != low || found.max[axis] != high) throw std::runtime_error("the bounds are not those of the vertices");
    }
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        std::vector<float> positions(arguments.number("vertices") * 3);
        std::mt19937 random(1);
        for (float& x : positions) x = std::uniform_real_distribution<float>(-1, 1)(random);
        bool batched = arguments.text("mode") == "batch";

        Context context;
        PrxMesh mesh = create_points(context, positions.data(), static_cast<uint32_t>(positions.size() / 3));
        PrxBatch* batch;
        PrxTicket ticket;
        must(prx_batch_create(context, &batch), context);
        must(prx_batch_bounds(batch, mesh, nullptr, &ticket), context);
        PrxBounds bounds;
        contest::compete(context.about(), [&](const contest::Turn&) {
            auto sample = contest::shortest_of(25, [&] {
                if (!batched) return must(prx_mesh_bounds(context, mesh, nullptr, &bounds), context);
                must(prx_batch_submit(batch, nullptr), context);
                must(prx_batch_wait(batch, UINT64_MAX), context);
                must(prx_batch_bounds_result(batch, ticket, &bounds), context);
            });
            check(bounds, positions);
            return sample;
        });
        must(prx_batch_destroy(batch), context);
    });
}
