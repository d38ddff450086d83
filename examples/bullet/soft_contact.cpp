#include "soft_contact.hpp"

#include <BulletSoftBody/btSoftBodyInternals.h>

namespace bullet {
namespace {

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
        auto ticket = dispatcher_.batch.sample(SolidShape::of(*rigid_)->field(), nodes);
        if (!dispatcher_.went_well(ticket)) return;
        ticket_ = ticket.value();
        dispatcher_.asked.push_back(this);
    }

    // As Bullet does it for the shapes that it knows itself: btSoftColliders::CollideSDF_RS.
    void finish() override {
        btRigidBody* body = const_cast<btRigidBody*>(btRigidBody::upcast(rigid_));
        const bool moves = body != nullptr && body->getInvMass() > 0;
        const btMatrix3x3 inverse_inertia = moves ? body->getInvInertiaTensorWorld() : btMatrix3x3(0, 0, 0, 0, 0, 0, 0, 0, 0);
        const btScalar margin = soft_->getCollisionShape()->getMargin() + rigid_->getCollisionShape()->getMargin();
        const btScalar dt = soft_->m_sst.sdt, inverse_mass = moves ? body->getInvMass() : 0, friction = soft_->m_cfg.kDF * rigid_->getFriction();
        auto read = dispatcher_.batch.read(ticket_);
        if (!dispatcher_.went_well(read)) return;
        const std::vector<PrxSample>& samples = read.value();
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

} // namespace

btCollisionAlgorithm* SoftDispatcher::findAlgorithm(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                                                    btPersistentManifold* manifold, ebtDispatcherQueryType query) {
    const int a = first->getCollisionShape()->getShapeType(), b = second->getCollisionShape()->getShapeType();
    const auto meets = [](int one, int other) { return one == SolidShape::type && other == SOFTBODY_SHAPE_PROXYTYPE; };
    if (!meets(a, b) && !meets(b, a)) return Dispatcher::findAlgorithm(first, second, manifold, query);
    return new (btAlignedAlloc(sizeof(SoftContact), 16)) SoftContact(*this);
}

} // namespace bullet
