#include "dispatcher.hpp"

namespace bullet {
namespace {

btVector3 vector(const double (&p)[3]) { return {btScalar(p[0]), btScalar(p[1]), btScalar(p[2])}; }

// The first body of a pair, and how far the second is from it at least.
struct First {
    PrxBody body;
    btScalar apart;
};

First plane_beside(const btCollisionObject& solid, const btCollisionObject& plane, const proxel::HalfSpace& half_space) {
    const auto& shape = *static_cast<const btStaticPlaneShape*>(plane.getCollisionShape());
    const btVector3 normal = plane.getWorldTransform().getBasis() * shape.getPlaneNormal();
    const btVector3 point = plane.getWorldTransform().getOrigin() + shape.getPlaneConstant() * normal;
    btVector3 low, high;
    solid.getCollisionShape()->getAabb(solid.getWorldTransform(), low, high);
    return {half_space.around(normal, point, solid.getWorldTransform().getOrigin(), btScalar(1.5) * SolidShape::of(solid)->radius),
            normal.dot((low + high) / 2 - point) - normal.absolute().dot((high - low) / 2)};
}

// A solid, and another or a plane. A patch of contacts is a manifold.
class RigidContact final : public Contact {
    const btCollisionObject *first_ = nullptr, *second_ = nullptr; // the second is a solid
    proxel::PairContacts pair_;
    std::vector<btPersistentManifold*> manifolds_;

    // How far the bodies can come nearer in a step.
    btScalar step(btScalar time) const {
        btVector3 velocity(0, 0, 0);
        btScalar spin = 0;
        for (const btCollisionObject* object : {first_, second_}) {
            const btRigidBody* body = btRigidBody::upcast(object);
            if (body == nullptr || SolidShape::of(*object) == nullptr) continue;
            velocity = body->getLinearVelocity() - velocity;
            spin += body->getAngularVelocity().length() * SolidShape::of(*object)->radius;
        }
        return (velocity.length() + spin) * time;
    }

    btManifoldPoint point_of(const PrxContact& contact) const {
        const btVector3 normal(contact.normal[0], contact.normal[1], contact.normal[2]);
        const btScalar margin = SolidShape::of(*first_) != nullptr ? SolidShape::of(*first_)->getMargin() : 0;
        const btVector3 first = vector(contact.world_a) + margin * normal, second = vector(contact.world_b) - SolidShape::of(*second_)->getMargin() * normal;
        btManifoldPoint point(first_->getWorldTransform().invXform(first), second_->getWorldTransform().invXform(second), -normal, contact.separation);
        point.m_positionWorldOnA = first;
        point.m_positionWorldOnB = second;
        point.m_combinedFriction = btManifoldResult::calculateCombinedFriction(first_, second_);
        point.m_combinedRollingFriction = btManifoldResult::calculateCombinedRollingFriction(first_, second_);
        point.m_combinedSpinningFriction = btManifoldResult::calculateCombinedSpinningFriction(first_, second_);
        point.m_combinedRestitution = btManifoldResult::calculateCombinedRestitution(first_, second_);
        return point;
    }

    void fill_manifolds() {
        std::vector<btManifoldPoint> last; // in the order of the contacts then
        for (btPersistentManifold* manifold : manifolds_) {
            for (int i = 0; i < manifold->getNumContacts(); ++i) last.push_back(manifold->getContactPoint(i));
            manifold->clearManifold();
        }
        for (const PrxContact& contact : pair_.contacts()) {
            while (manifolds_.size() <= contact.patch) manifolds_.push_back(m_dispatcher->getNewManifold(first_, second_));
            btManifoldPoint point = point_of(contact);
            if (contact.previous >= 0) { // the solver starts from what it found for the contact that goes on
                const btManifoldPoint& before = last[static_cast<std::size_t>(contact.previous)];
                point.m_appliedImpulse = before.m_appliedImpulse;
                point.m_appliedImpulseLateral1 = before.m_appliedImpulseLateral1;
                point.m_appliedImpulseLateral2 = before.m_appliedImpulseLateral2;
            }
            manifolds_[contact.patch]->addManifoldPoint(point);
        }
    }

public:
    using Contact::Contact;
    ~RigidContact() override {
        for (btPersistentManifold* manifold : manifolds_) m_dispatcher->releaseManifold(manifold);
    }
    void getAllContactManifolds(btManifoldArray& out) override {
        for (btPersistentManifold* manifold : manifolds_) out.push_back(manifold);
    }

    void processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second, const btDispatcherInfo& info,
                          btManifoldResult*) override {
        if (SolidShape::of(*second->getCollisionObject()) == nullptr) std::swap(first, second);
        first_ = first->getCollisionObject();
        second_ = second->getCollisionObject();
        PrxContactsDef def = dispatcher_.def;
        def.distance = dispatcher_.reach + step(info.m_timeStep);
        const SolidShape &solid = *SolidShape::of(*second_), *other = SolidShape::of(*first_);
        const First first_body = other != nullptr ? First{other->body(first_->getWorldTransform()), 0} // Bullet knows that their boxes touch
                                                  : plane_beside(*second_, *first_, dispatcher_.half_space);
        auto asks = pair_.ask(dispatcher_.batch, first_body.body, solid.body(second_->getWorldTransform()), def, dispatcher_.slack, solid.radius, first_body.apart);
        if (!dispatcher_.went_well(asks)) return;
        if (asks.value()) dispatcher_.asked.push_back(this);
        else fill_manifolds();
    }

    void finish() override {
        if (dispatcher_.went_well(pair_.read(dispatcher_.batch))) fill_manifolds();
    }
};

} // namespace

Dispatcher::Dispatcher(btCollisionConfiguration* configuration, const proxel::Context& context)
    : btCollisionDispatcher(configuration), batch(context.batch().value()), half_space(proxel::HalfSpace::of(context).value()) {}

void Dispatcher::dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info, btDispatcher* dispatcher) {
    asked.clear();
    trouble.clear();
    went_well(batch.reset());
    btCollisionDispatcher::dispatchAllCollisionPairs(pairs, info, dispatcher);
    if (asked.empty()) return;
    if (went_well(batch.submit())) went_well(batch.wait());
    for (Contact* contact : asked) contact->finish();
}

btCollisionAlgorithm* Dispatcher::findAlgorithm(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                                                btPersistentManifold* manifold, ebtDispatcherQueryType query) {
    const int a = first->getCollisionShape()->getShapeType(), b = second->getCollisionShape()->getShapeType();
    const auto meets = [](int one, int other) { return one == SolidShape::type && (other == SolidShape::type || other == STATIC_PLANE_PROXYTYPE); };
    if (!meets(a, b) && !meets(b, a)) return btCollisionDispatcher::findAlgorithm(first, second, manifold, query);
    return new (btAlignedAlloc(sizeof(RigidContact), 16)) RigidContact(*this); // freed as all algorithms are
}

} // namespace bullet
