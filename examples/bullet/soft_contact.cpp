#include "contact.hpp"

#include <BulletSoftBody/btSoftBodyInternals.h>

#include <algorithm>

namespace bullet {

// Nodes move every step, so their groups are found anew: runs of nodes, which Bullet keeps in the order of the patch or mesh.
void SoftContact::processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                                   const btDispatcherInfo&, btManifoldResult*) {
    const bool soft_first = first->getCollisionShape()->getShapeType() == SOFTBODY_SHAPE_PROXYTYPE;
    const btCollisionObject* soft = (soft_first ? first : second)->getCollisionObject();
    soft_ = const_cast<btSoftBody*>(btSoftBody::upcast(soft));
    rigid_ = (soft_first ? second : first)->getCollisionObject();
    const auto& shape = *static_cast<const SolidShape*>(rigid_->getCollisionShape());
    margin_ = soft_->getCollisionShape()->getMargin() + shape.getMargin();

    constexpr std::uint32_t run = 16;
    nodes_.points.clear();
    nodes_.groups.clear();
    const auto count = static_cast<std::uint32_t>(soft_->m_nodes.size());
    for (std::uint32_t from = 0; from < count; from += run) {
        Cloud::Group group;
        group.first = from;
        group.count = std::min(run, count - from);
        group.centre = {0, 0, 0};
        for (std::uint32_t i = from; i < from + group.count; ++i) {
            nodes_.points.push_back(soft_->m_nodes[static_cast<int>(i)].m_x);
            group.centre += nodes_.points.back() / static_cast<btScalar>(group.count);
        }
        for (std::uint32_t i = from; i < from + group.count; ++i)
            group.radius = std::max(group.radius, group.centre.distance(nodes_.points[i]));
        nodes_.groups.push_back(group);
    }
    touches_.clear();
    memory_ = {}; // nodes move on their own: what was measured says nothing about now
    dispatcher_.ask(*this, {&shape.solid().field(), rigid_->getWorldTransform(), shape.solid().low(), shape.solid().high(), &nodes_,
                            btTransform::getIdentity(), margin_, &memory_, &touches_});
}

// As Bullet does it for the shapes that it knows itself: btSoftColliders::CollideSDF_RS.
void SoftContact::finish() {
    btRigidBody* body = const_cast<btRigidBody*>(btRigidBody::upcast(rigid_));
    const bool moves = body != nullptr && body->getInvMass() > 0;
    const btScalar dt = soft_->m_sst.sdt;
    for (const Touch& touch : touches_) {
        btSoftBody::Node& node = soft_->m_nodes[static_cast<int>(touch.point)];
        const btScalar inverse_mass = moves ? body->getInvMass() : 0;
        if (node.m_battach != 0 || node.m_im + inverse_mass <= 0) continue;
        btSoftBody::RContact contact;
        contact.t1 = contact.t2 = btVector3(0, 0, 0);
        const btVector3 on_surface = touch.where - touch.normal * (touch.distance - margin_);
        contact.m_cti.m_colObj = rigid_;
        contact.m_cti.m_normal = touch.normal;
        contact.m_cti.m_offset = -touch.normal.dot(on_surface);
        const btVector3 arm = node.m_x - rigid_->getWorldTransform().getOrigin();
        const btVector3 drift = moves ? body->getVelocityInLocalPoint(arm) * dt : btVector3(0, 0, 0);
        const btVector3 motion = node.m_x - node.m_q - drift;
        const btScalar along = motion.dot(touch.normal);
        const btScalar friction = soft_->m_cfg.kDF * rigid_->getFriction();
        const btMatrix3x3 no_inertia(0, 0, 0, 0, 0, 0, 0, 0, 0);
        contact.m_node = &node;
        contact.m_c0 = ImpulseMatrix(dt, node.m_im, inverse_mass, moves ? body->getInvInertiaTensorWorld() : no_inertia, arm);
        contact.m_c1 = arm;
        contact.m_c2 = node.m_im * dt;
        contact.m_c3 = (motion - touch.normal * along).length2() < btFabs(along * friction) * btFabs(along * friction) ? 0 : 1 - friction;
        contact.m_c4 = rigid_->isStaticOrKinematicObject() ? soft_->m_cfg.kKHR : soft_->m_cfg.kCHR;
        soft_->m_rcontacts.push_back(contact);
        if (moves) body->activate();
    }
}

} // namespace bullet
