// Proxel as Bullet's narrow phase: pairs of solids, solids and planes, solids and soft bodies, all of a step in one batch.
#pragma once

#include "solid_shape.hpp"

#include <memory>
#include <vector>

namespace bullet {

class Contact; // of a pair

class Dispatcher : public btCollisionDispatcher {
public:
    Dispatcher(btCollisionConfiguration* configuration, const proxel::Context& context);
    void dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info, btDispatcher* dispatcher) override;

    btScalar reach = btScalar(0.02);  // contacts are made this far from a surface, so that they are there before they are needed
    btScalar slack = btScalar(0.005); // and this much farther: until bodies have moved by it, none is missing
    PrxContactsDef def = prx_contacts_def_default(); // its points, up to 4, and its patches

    proxel::Batch batch;      // contacts record their questions here while Bullet goes through all pairs,
    std::vector<Contact*> asked; // and are finished when all are answered
    proxel::Field half_space; // y < 0

private:
    std::vector<std::unique_ptr<btCollisionAlgorithmCreateFunc>> create_functions_;
};

} // namespace bullet
