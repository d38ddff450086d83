// Proxel as Bullet's narrow phase: pairs of solids, and of solids and planes, all of a step in one batch. soft_contact.hpp adds soft bodies.
#pragma once

#include "solid_shape.hpp"

#include <string>

namespace bullet {

class Contact;

class Dispatcher : public btCollisionDispatcher {
public:
    Dispatcher(btCollisionConfiguration* configuration, const proxel::Context& context);
    void dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info, btDispatcher* dispatcher) override;
    btCollisionAlgorithm* findAlgorithm(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                                        btPersistentManifold* manifold, ebtDispatcherQueryType query) override;

    btScalar reach = btScalar(0.02);  // contacts are made this far from a surface, so that they are there before they are needed
    btScalar slack = btScalar(0.005); // and this much farther, so that not every step has to ask
    PrxContactsDef def = prx_contacts_def_default(); // its points, up to 4, and its patches

    proxel::Batch batch;         // contacts record their questions here while Bullet goes through all pairs,
    std::vector<Contact*> asked; // and are finished when all are answered
    const proxel::HalfSpace half_space; // of all planes

    // What was wrong with the last step, or empty. Its pairs keep the contacts that they had, and the next step asks again.
    std::string trouble;
    // Whether it went well; the message is kept otherwise. A step must not throw: Bullet's frames are in between.
    template <class Result> bool went_well(const Result& result) {
        if (!result) trouble = result.message();
        return bool(result);
    }
};

// What touches of a pair.
class Contact : public btCollisionAlgorithm {
public:
    explicit Contact(Dispatcher& dispatcher) : dispatcher_(dispatcher) { m_dispatcher = &dispatcher; }
    virtual void finish() = 0; // its question is answered
    btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&, btManifoldResult*) override { return 1; }

protected:
    Dispatcher& dispatcher_;
};

} // namespace bullet
