// Proxel in Bullet's dispatcher: pairs of solids, solids and planes, solids and soft bodies.
#pragma once

#include "narrow_phase.hpp"

#include <BulletSoftBody/btSoftBody.h>

#include <memory>

namespace bullet {

// A pair whose contacts come from the narrow phase.
class Contact : public btCollisionAlgorithm {
public:
    using btCollisionAlgorithm::btCollisionAlgorithm;

    // Turns what the narrow phase found into what Bullet's solver takes.
    virtual void finish() = 0;

    btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&, btManifoldResult*) override {
        return 1;
    }
};

// Pairs ask while Bullet goes through them, and all are answered together when it has.
class Dispatcher : public btCollisionDispatcher {
public:
    Dispatcher(btCollisionConfiguration* configuration, const proxel::Context& context);
    ~Dispatcher() override;

    void dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info, btDispatcher* dispatcher) override;

    // Bullet's pool is made for Bullet's own algorithms.
    void* allocateCollisionAlgorithm(int size) override;

    // The contact is finished when all pairs are through, and has its question answered by then.
    void await(Contact& contact);
    void ask(Contact& contact, const NarrowPhase::Question& question);
    const NarrowPhase& narrow_phase() const { return narrow_phase_; }

    // How far from a surface a contact is made already, so that it is there before it is needed.
    btScalar reach = btScalar(0.02);

private:
    NarrowPhase narrow_phase_;
    std::vector<Contact*> asked_;
    std::vector<std::unique_ptr<btCollisionAlgorithmCreateFunc>> create_functions_;
};

// Contact points of two rigid bodies, one of them a solid and the other a solid or a plane.
class RigidContact : public Contact {
public:
    static constexpr int manifolds = 2; // of four points each: bodies that are not convex touch in more than one place

    RigidContact(Dispatcher& dispatcher, const btCollisionAlgorithmConstructionInfo& info);
    ~RigidContact() override;

    void processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                          const btDispatcherInfo& info, btManifoldResult* result) override;
    void finish() override;
    void getAllContactManifolds(btManifoldArray& out) override;

private:
    // Names a contact from step to step: whose point, and which.
    struct Key {
        int side;
        std::uint32_t point;
        bool operator==(const Key& other) const { return side == other.side && point == other.point; }
    };
    struct Candidate {
        Key key;
        const Touch* touch;
    };
    // What the solver found for a contact of the last step, for a warm start in this one.
    struct Known {
        Key key;
        btManifoldPoint point;
    };

    void ask(int field_side);
    void touch_plane(int plane_side);
    std::vector<Candidate> chosen() const;
    const btManifoldPoint* known(const Key& key) const;
    void add(const Candidate& candidate, btPersistentManifold& manifold) const;

    Dispatcher& dispatcher_;
    const btCollisionObject* bodies_[2] = {};
    btScalar margin_ = 0;
    btScalar reach_ = 0;
    std::vector<Touch> touches_[2]; // by whose points they are
    Memory memories_[2];
    std::vector<btPersistentManifold*> manifolds_;
    std::vector<Known> last_;
};

// Nodes of a soft body against a solid.
class SoftContact : public Contact {
public:
    SoftContact(Dispatcher& dispatcher, const btCollisionAlgorithmConstructionInfo& info)
        : Contact(info), dispatcher_(dispatcher) {}

    void processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                          const btDispatcherInfo& info, btManifoldResult* result) override;
    void finish() override;
    void getAllContactManifolds(btManifoldArray&) override {}

private:
    Dispatcher& dispatcher_;
    btSoftBody* soft_ = nullptr;
    const btCollisionObject* rigid_ = nullptr;
    btScalar margin_ = 0;
    Cloud nodes_;
    Memory memory_;
    std::vector<Touch> touches_;
};

} // namespace bullet
