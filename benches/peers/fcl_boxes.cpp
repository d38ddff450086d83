// FCL's broad phase (Debian's libfcl-dev): a dynamic tree of boxes, updated each turn, one thread.
// Compiled for plain x86-64, as the package is: Eigen's alignment is part of its ABI.
#include <fcl/fcl.h>

#include "boxes.hpp"

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        Boxes boxes(arguments.number("boxes"));
        fcl::DynamicAABBTreeCollisionManagerd manager;
        std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
        for (size_t i = 0; i < boxes.places.size(); ++i) {
            const auto h = boxes.half(i);
            objects.push_back(std::make_unique<fcl::CollisionObjectd>(std::make_shared<fcl::Boxd>(2.0 * h[0], 2.0 * h[1], 2.0 * h[2])));
            manager.registerObject(objects.back().get());
        }
        manager.setup();
        long pairs = 0;
        contest::compete("FCL " FCL_VERSION ", dynamic AABB tree", [&](const contest::Turn& turn) {
            boxes.plan(turn);
            contest::Sample sample = contest::shortest_of(5, [&, step = size_t{0}]() mutable {
                const auto& centres = boxes.at(step++);
                for (size_t i = 0; i < objects.size(); ++i) {
                    const auto& c = centres[i];
                    objects[i]->setTranslation(fcl::Vector3d(c[0], c[1], c[2]));
                    objects[i]->computeAABB();
                }
                pairs = 0;
                manager.update();
                manager.collide(&pairs, [](fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* user) {
                    *static_cast<long*>(user) += a->getAABB().overlap(b->getAABB());
                    return false;
                });
            });
            sample.answer = {double(pairs)};
            return sample;
        });
    });
}
