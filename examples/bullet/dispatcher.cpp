#include "dispatcher.hpp"

#include <BulletSoftBody/btSoftBodyInternals.h>

namespace bullet {

class Contact : public btCollisionAlgorithm {
public:
    Contact(Dispatcher& dispatcher, const btCollisionAlgorithmConstructionInfo& info) : btCollisionAlgorithm(info), dispatcher_(dispatcher) {}
    virtual void finish() = 0; // its question is answered
    btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&, btManifoldResult*) override { return 1; }

protected:
    Dispatcher& dispatcher_;
};

namespace {

const SolidShape* solid_of(const btCollisionObject& object) {
    const btCollisionShape* shape = object.getCollisionShape();
    return shape->getShapeType() == SolidShape::type ? static_cast<const SolidShape*>(shape) : nullptr;
}

// How far a point within `radius` can have moved from one pose to another.
btScalar motion(const btTransform& from, const btTransform& to, btScalar radius) {
    const btMatrix3x3 turn = from.getBasis().transposeTimes(to.getBasis());
    const btScalar chord = btSqrt(btMax(btScalar(0), 3 - turn[0][0] - turn[1][1] - turn[2][2])); // of a unit circle
    return from.getOrigin().distance(to.getOrigin()) + chord * radius;
}

btVector3 normal_of(const btCollisionObject& plane) {
    return plane.getWorldTransform().getBasis() * static_cast<const btStaticPlaneShape*>(plane.getCollisionShape())->getPlaneNormal();
}

btScalar height_over(const btCollisionObject& plane, const btVector3& p) {
    const auto& shape = *static_cast<const btStaticPlaneShape*>(plane.getCollisionShape());
    return normal_of(plane).dot(p - plane.getWorldTransform().getOrigin()) - shape.getPlaneConstant();
}

// A solid where it is; of a plane the part that is next to the other body.
PrxBody body_of(const btCollisionObject& object, const btCollisionObject& other, const proxel::Field& half_space) {
    btTransform pose = object.getWorldTransform();
    PrxBody body = proxel::body(half_space);
    if (const SolidShape* solid = solid_of(object)) {
        body = proxel::body(solid->device_mesh(), solid->field());
        body.rest_offset = solid->getMargin();
    } else {
        const btVector3 up = normal_of(object);
        pose.setOrigin(other.getWorldTransform().getOrigin() - height_over(object, other.getWorldTransform().getOrigin()) * up);
        pose.setRotation(shortestArcQuat({0, 1, 0}, up));
        body.scale = btScalar(1.5) * solid_of(other)->radius;
    }
    const btQuaternion turn = pose.getRotation();
    for (int i = 0; i < 3; ++i) body.position[i] = pose.getOrigin()[i];
    for (int i = 0; i < 4; ++i) body.rotation[i] = turn[i];
    return body;
}

// How far two bodies are apart at least. Of two solids Bullet knows already that their boxes touch.
btScalar apart(const btCollisionObject& still, const btCollisionObject& moving) {
    if (solid_of(still) != nullptr) return 0;
    btVector3 low, high;
    moving.getCollisionShape()->getAabb(moving.getWorldTransform(), low, high);
    return height_over(still, (low + high) / 2) - normal_of(still).absolute().dot((high - low) / 2);
}

// Two rigid bodies, one of them a solid and the other a solid or a plane. A patch of contacts is a manifold.
class RigidContact final : public Contact {
    const btCollisionObject* bodies_[2] = {};
    btScalar known_ = -1;                               // separations up to this were asked for,
    btTransform known_at_ = btTransform::getIdentity(); // when one body was here, seen from the other
    proxel::Ticket<proxel::Contacts> ticket_;
    std::vector<PrxContact> contacts_;
    std::vector<btPersistentManifold*> manifolds_;

    template <class Use> void each_point(Use use) const { // in the order of contacts_
        for (btPersistentManifold* manifold : manifolds_)
            for (int i = 0; i < manifold->getNumContacts(); ++i) use(manifold->getContactPoint(i));
    }

    // How far the bodies can come nearer in a step.
    btScalar step(btScalar time) const {
        btVector3 velocity(0, 0, 0);
        btScalar spin = 0;
        for (const btCollisionObject* object : bodies_) {
            const btRigidBody* body = btRigidBody::upcast(object);
            if (body == nullptr || solid_of(*object) == nullptr) continue;
            velocity = body->getLinearVelocity() - velocity;
            spin += body->getAngularVelocity().length() * solid_of(*object)->radius;
        }
        return (velocity.length() + spin) * time;
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
        bodies_[0] = first->getCollisionObject();
        bodies_[1] = second->getCollisionObject();
        const int moving = solid_of(*bodies_[1]) != nullptr ? 1 : 0;
        const btTransform at = bodies_[1 - moving]->getWorldTransform().inverseTimes(bodies_[moving]->getWorldTransform());
        const btScalar needed = dispatcher_.reach + step(info.m_timeStep), moved = motion(known_at_, at, solid_of(*bodies_[moving])->radius);
        // A distance changes by no more than bodies move: until then contacts are carried along, and no other can have come.
        if (moved + needed <= known_ && (contacts_.empty() || moved <= dispatcher_.slack)) {
            return each_point([&](btManifoldPoint& point) {
                point.m_positionWorldOnA = bodies_[0]->getWorldTransform() * point.m_localPointA;
                point.m_positionWorldOnB = bodies_[1]->getWorldTransform() * point.m_localPointB;
                point.m_distance1 = (point.m_positionWorldOnA - point.m_positionWorldOnB).dot(point.m_normalWorldOnB);
            });
        }
        known_at_ = at;
        known_ = btMax(needed + dispatcher_.slack, apart(*bodies_[1 - moving], *bodies_[moving]));
        if (known_ > needed + dispatcher_.slack) return take({});
        PrxContactsDef def = dispatcher_.def;
        def.distance = known_;
        const PrxBody a = body_of(*bodies_[0], *bodies_[1], dispatcher_.half_space), b = body_of(*bodies_[1], *bodies_[0], dispatcher_.half_space);
        ticket_ = dispatcher_.batch.contacts(a, b, def, contacts_).value();
        dispatcher_.asked.push_back(this);
    }

    void finish() override { take(dispatcher_.batch.read(ticket_).value().contacts); }

    void take(std::vector<PrxContact> contacts) {
        std::vector<btManifoldPoint> last;
        each_point([&](const btManifoldPoint& point) { last.push_back(point); });
        for (btPersistentManifold* manifold : manifolds_) manifold->clearManifold();
        contacts_ = std::move(contacts);
        for (const PrxContact& contact : contacts_) {
            while (manifolds_.size() <= contact.patch) manifolds_.push_back(m_dispatcher->getNewManifold(bodies_[0], bodies_[1]));
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

    btManifoldPoint point_of(const PrxContact& contact) const {
        const btVector3 normal(-contact.normal[0], -contact.normal[1], -contact.normal[2]); // Bullet's points to its first body
        const auto on = [&](const double (&p)[3], int side) { // the surface with its margin
            const SolidShape* solid = solid_of(*bodies_[side]);
            return btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2])) +
                   (side == 0 ? -normal : normal) * (solid != nullptr ? solid->getMargin() : 0);
        };
        const btVector3 first = on(contact.world_a, 0), second = on(contact.world_b, 1);
        btManifoldPoint point(bodies_[0]->getWorldTransform().invXform(first), bodies_[1]->getWorldTransform().invXform(second), normal,
                              contact.separation);
        point.m_positionWorldOnA = first;
        point.m_positionWorldOnB = second;
        point.m_combinedFriction = btManifoldResult::calculateCombinedFriction(bodies_[0], bodies_[1]);
        point.m_combinedRollingFriction = btManifoldResult::calculateCombinedRollingFriction(bodies_[0], bodies_[1]);
        point.m_combinedSpinningFriction = btManifoldResult::calculateCombinedSpinningFriction(bodies_[0], bodies_[1]);
        point.m_combinedRestitution = btManifoldResult::calculateCombinedRestitution(bodies_[0], bodies_[1]);
        return point;
    }
};

// Nodes of a soft body against a solid. Every node is held, not only the lowest ones, so the field is sampled at all of them.
class SoftContact final : public Contact {
    btSoftBody* soft_ = nullptr;
    const btCollisionObject* rigid_ = nullptr;
    proxel::Ticket<std::vector<PrxSample>> ticket_;

public:
    using Contact::Contact;
    void getAllContactManifolds(btManifoldArray&) override {}

    void processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second, const btDispatcherInfo&,
                          btManifoldResult*) override {
        if (first->getCollisionShape()->getShapeType() != SOFTBODY_SHAPE_PROXYTYPE) std::swap(first, second);
        soft_ = const_cast<btSoftBody*>(btSoftBody::upcast(first->getCollisionObject()));
        rigid_ = second->getCollisionObject();
        std::vector<cli::Vec3> nodes; // in the frame of the field
        for (int i = 0; i < soft_->m_nodes.size(); ++i) {
            const btVector3 p = rigid_->getWorldTransform().invXform(soft_->m_nodes[i].m_x);
            nodes.push_back({p.x(), p.y(), p.z()});
        }
        ticket_ = dispatcher_.batch.sample(solid_of(*rigid_)->field(), nodes).value();
        dispatcher_.asked.push_back(this);
    }

    // As Bullet does it for the shapes that it knows itself: btSoftColliders::CollideSDF_RS.
    void finish() override {
        btRigidBody* body = const_cast<btRigidBody*>(btRigidBody::upcast(rigid_));
        const bool moves = body != nullptr && body->getInvMass() > 0;
        const btMatrix3x3 inverse_inertia = moves ? body->getInvInertiaTensorWorld() : btMatrix3x3(0, 0, 0, 0, 0, 0, 0, 0, 0);
        const btScalar margin = soft_->getCollisionShape()->getMargin() + rigid_->getCollisionShape()->getMargin();
        const btScalar dt = soft_->m_sst.sdt, inverse_mass = moves ? body->getInvMass() : 0, friction = soft_->m_cfg.kDF * rigid_->getFriction();
        const std::vector<PrxSample> samples = dispatcher_.batch.read(ticket_).value();
        for (std::size_t i = 0; i < samples.size(); ++i) {
            btSoftBody::Node& node = soft_->m_nodes[static_cast<int>(i)];
            const btVector3 outwards(samples[i].normal[0], samples[i].normal[1], samples[i].normal[2]); // zero where no way is the shortest
            if (samples[i].in_domain == 0 || samples[i].distance > margin || outwards.isZero()) continue;
            if (node.m_battach != 0 || node.m_im + inverse_mass <= 0) continue;
            const btVector3 normal = rigid_->getWorldTransform().getBasis() * outwards;
            const btVector3 arm = node.m_x - rigid_->getWorldTransform().getOrigin();
            const btVector3 motion = node.m_x - node.m_q - (moves ? body->getVelocityInLocalPoint(arm) * dt : btVector3(0, 0, 0));
            const btScalar along = motion.dot(normal), held = btFabs(along * friction);
            btSoftBody::RContact contact;
            contact.t1 = contact.t2 = btVector3(0, 0, 0);
            contact.m_cti.m_colObj = rigid_;
            contact.m_cti.m_normal = normal;
            contact.m_cti.m_offset = -normal.dot(node.m_x - normal * (samples[i].distance - margin));
            contact.m_node = &node;
            contact.m_c0 = ImpulseMatrix(dt, node.m_im, inverse_mass, inverse_inertia, arm);
            contact.m_c1 = arm;
            contact.m_c2 = node.m_im * dt;
            contact.m_c3 = (motion - normal * along).length2() < held * held ? 0 : 1 - friction;
            contact.m_c4 = rigid_->isStaticOrKinematicObject() ? soft_->m_cfg.kKHR : soft_->m_cfg.kCHR;
            soft_->m_rcontacts.push_back(contact);
            if (moves) body->activate();
        }
    }
};

template <class Kind> struct CreateFunction : btCollisionAlgorithmCreateFunc {
    Dispatcher& dispatcher;
    explicit CreateFunction(Dispatcher& of) : dispatcher(of) {}
    btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper*,
                                                   const btCollisionObjectWrapper*) override {
        return new (btAlignedAlloc(sizeof(Kind), 16)) Kind(dispatcher, info); // the dispatcher frees it
    }
};

} // namespace

Dispatcher::Dispatcher(btCollisionConfiguration* configuration, const proxel::Context& context)
    : btCollisionDispatcher(configuration), batch(context.batch().value()) {
    PrxShape plane = prx_shape_default();
    plane.kind = PRX_SHAPE_KIND_PLANE;
    for (float& half : plane.half_size) half = 1;
    half_space = context.field_from_shape(plane).value();
    create_functions_.push_back(std::make_unique<CreateFunction<RigidContact>>(*this));
    create_functions_.push_back(std::make_unique<CreateFunction<SoftContact>>(*this));
    for (const int other : {SolidShape::type, int(STATIC_PLANE_PROXYTYPE), int(SOFTBODY_SHAPE_PROXYTYPE)}) {
        btCollisionAlgorithmCreateFunc* function = create_functions_[other == SOFTBODY_SHAPE_PROXYTYPE ? 1 : 0].get();
        registerCollisionCreateFunc(SolidShape::type, other, function);
        registerCollisionCreateFunc(other, SolidShape::type, function);
    }
}

void Dispatcher::dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info, btDispatcher* dispatcher) {
    asked.clear();
    batch.reset().value();
    btCollisionDispatcher::dispatchAllCollisionPairs(pairs, info, dispatcher);
    if (asked.empty()) return;
    batch.submit().value();
    batch.wait().value();
    for (Contact* contact : asked) contact->finish();
}

} // namespace bullet
