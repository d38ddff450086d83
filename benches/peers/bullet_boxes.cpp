// Bullet's broad phase: a dynamic tree of boxes that keeps its pairs, each box set anew each turn, one thread.
#include <btBulletCollisionCommon.h>

#include "boxes.hpp"

namespace {

bool overlap(const btBroadphaseProxy& a, const btBroadphaseProxy& b) {
    return TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax);
}

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        Boxes boxes(arguments.number("boxes"));
        btDbvtBroadphase broad;
        // Its boxes carry no margin here: the pairs are those of the boxes themselves.
        broad.m_prediction = 0;
        std::vector<btBroadphaseProxy*> proxies;
        const auto ends = [&](size_t i, const Boxes::Vec& c) {
            const auto h = boxes.half(i);
            return std::make_pair(btVector3(c[0] - h[0], c[1] - h[1], c[2] - h[2]), btVector3(c[0] + h[0], c[1] + h[1], c[2] + h[2]));
        };
        std::vector<char> owners(boxes.places.size());
        for (size_t i = 0; i < owners.size(); ++i) {
            const auto [low, high] = ends(i, boxes.places[i]);
            proxies.push_back(broad.createProxy(low, high, BOX_SHAPE_PROXYTYPE, &owners[i], 1, 1, nullptr));
        }
        long pairs = 0;
        contest::compete("Bullet " + std::to_string(btGetVersion()) + ", dynamic tree", [&](const contest::Turn& turn) {
            boxes.plan(turn);
            contest::Sample sample = contest::shortest_of(5, [&, step = size_t{0}]() mutable {
                const auto& centres = boxes.at(step++);
                for (size_t i = 0; i < proxies.size(); ++i) {
                    const auto [low, high] = ends(i, centres[i]);
                    broad.setAabb(proxies[i], low, high, nullptr);
                }
                broad.calculateOverlappingPairs(nullptr);
                // It drops pairs over several steps; whether they still overlap is asked here, as its users do.
                auto& kept = broad.getOverlappingPairCache()->getOverlappingPairArray();
                pairs = 0;
                for (int i = 0; i < kept.size(); ++i) pairs += overlap(*kept[i].m_pProxy0, *kept[i].m_pProxy1);
            });
            sample.answer = {double(pairs)};
            return sample;
        });
    });
}
