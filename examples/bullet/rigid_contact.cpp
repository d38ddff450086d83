#include "contact.hpp"

#include <algorithm>

namespace bullet {
namespace {

const SolidShape* solid_of(const btCollisionObject& body) {
    const btCollisionShape* shape = body.getCollisionShape();
    return shape->getShapeType() == SolidShape::type ? static_cast<const SolidShape*>(shape) : nullptr;
}

btVector3 velocity(const btCollisionObject& object) {
    const btRigidBody* body = btRigidBody::upcast(&object);
    return body != nullptr ? body->getLinearVelocity() : btVector3(0, 0, 0);
}

// How fast a point of a body can be beside its centre.
btScalar spin(const btCollisionObject& object) {
    const btRigidBody* body = btRigidBody::upcast(&object);
    const SolidShape* shape = solid_of(object);
    return body != nullptr && shape != nullptr ? body->getAngularVelocity().length() * shape->solid().cloud().radius : 0;
}

} // namespace

RigidContact::RigidContact(Dispatcher& dispatcher, const btCollisionAlgorithmConstructionInfo& info)
    : Contact(info), dispatcher_(dispatcher) {}

RigidContact::~RigidContact() {
    for (btPersistentManifold* manifold : manifolds_) m_dispatcher->releaseManifold(manifold);
}

void RigidContact::getAllContactManifolds(btManifoldArray& out) {
    for (btPersistentManifold* manifold : manifolds_) out.push_back(manifold);
}

void RigidContact::processCollision(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                                    const btDispatcherInfo& info, btManifoldResult*) {
    bodies_[0] = first->getCollisionObject();
    bodies_[1] = second->getCollisionObject();
    margin_ = 0;
    for (const btCollisionObject* body : bodies_) {
        if (solid_of(*body) != nullptr) margin_ += body->getCollisionShape()->getMargin();
    }
    // Far enough that nothing gets past another body within a step.
    const btScalar speed = velocity(*bodies_[0]).distance(velocity(*bodies_[1])) + spin(*bodies_[0]) + spin(*bodies_[1]);
    reach_ = margin_ + dispatcher_.reach + speed * info.m_timeStep;
    for (auto& touches : touches_) touches.clear();
    for (const int side : {0, 1}) ask(side);
}

// The points of the other body in the field of this one.
void RigidContact::ask(int field_side) {
    const btCollisionObject& body = *bodies_[field_side];
    const btCollisionObject& other = *bodies_[1 - field_side];
    const SolidShape* shape = solid_of(body);
    const SolidShape* points = solid_of(other);
    if (shape == nullptr) return touch_plane(field_side);
    if (points == nullptr) return;
    NarrowPhase::Question question;
    question.field = &shape->solid().field();
    question.field_pose = body.getWorldTransform();
    question.low = shape->solid().low();
    question.high = shape->solid().high();
    question.cloud = &points->solid().cloud();
    question.cloud_pose = other.getWorldTransform();
    question.reach = reach_;
    question.memory = &memories_[1 - field_side];
    question.out = &touches_[1 - field_side];
    dispatcher_.ask(*this, question);
}

// The distance to a plane needs no field.
void RigidContact::touch_plane(int plane_side) {
    const auto& plane = *static_cast<const btStaticPlaneShape*>(bodies_[plane_side]->getCollisionShape());
    const btTransform& plane_pose = bodies_[plane_side]->getWorldTransform();
    const btVector3 normal = plane_pose.getBasis() * plane.getPlaneNormal();
    const btScalar height = normal.dot(plane_pose * (plane.getPlaneNormal() * plane.getPlaneConstant()));
    const Cloud& cloud = solid_of(*bodies_[1 - plane_side])->solid().cloud();
    const btTransform& pose = bodies_[1 - plane_side]->getWorldTransform();
    dispatcher_.await(*this);
    if (normal.dot(pose.getOrigin()) - height > cloud.radius + reach_) return;
    for (const Cloud::Group& group : cloud.groups) {
        if (normal.dot(pose * group.centre) - height > group.radius + reach_) continue;
        for (std::uint32_t p = group.first; p < group.first + group.count; ++p) {
            const btVector3 where = pose * cloud.points[p];
            const btScalar distance = normal.dot(where) - height;
            if (distance <= reach_) touches_[1 - plane_side].push_back({p, where, normal, distance});
        }
    }
}

// Of many touching points a few, deep and far from each other: the deepest first, then always the one that is best by depth
// times distance to those chosen. A point of the last step is worth a little more, so that resting contacts do not wander.
std::vector<RigidContact::Candidate> RigidContact::chosen() const {
    struct Open {
        Candidate candidate;
        btScalar depth, gap;
    };
    std::vector<Open> open;
    for (const int side : {0, 1}) {
        for (const Touch& touch : touches_[side]) {
            const Key key{side, touch.point};
            const btScalar worth = known(key) != nullptr ? btScalar(1.5) : btScalar(1);
            open.push_back({{key, &touch}, worth * (reach_ - touch.distance), SIMD_INFINITY});
        }
    }
    std::vector<Candidate> out;
    while (out.size() < 4 * manifolds) {
        const Open* best = nullptr;
        btScalar most = 0;
        for (const Open& o : open) {
            const btScalar value = out.empty() ? o.depth : o.depth * o.gap;
            if (value > most) best = &o, most = value;
        }
        if (best == nullptr) break;
        out.push_back(best->candidate);
        const btVector3 at = best->candidate.touch->where;
        for (Open& o : open) o.gap = std::min(o.gap, o.candidate.touch->where.distance(at));
    }
    return out;
}

const btManifoldPoint* RigidContact::known(const Key& key) const {
    for (const Known& known : last_) {
        if (known.key == key) return &known.point;
    }
    return nullptr;
}

void RigidContact::add(const Candidate& candidate, btPersistentManifold& manifold) const {
    const Touch& touch = *candidate.touch;
    // Bullet's normal points from its second body to its first; the touch's points from the field's body to the point's.
    const bool first_has_point = candidate.key.side == 0;
    const btVector3 normal = first_has_point ? touch.normal : -touch.normal;
    const btScalar distance = touch.distance - margin_;
    const btVector3 on_field = touch.where - touch.normal * distance;
    const btVector3 on_first = first_has_point ? touch.where : on_field;
    const btVector3 on_second = first_has_point ? on_field : touch.where;
    btManifoldPoint point(bodies_[0]->getWorldTransform().inverse() * on_first,
                          bodies_[1]->getWorldTransform().inverse() * on_second, normal, distance);
    point.m_positionWorldOnA = on_first;
    point.m_positionWorldOnB = on_second;
    point.m_combinedFriction = btManifoldResult::calculateCombinedFriction(bodies_[0], bodies_[1]);
    point.m_combinedRollingFriction = btManifoldResult::calculateCombinedRollingFriction(bodies_[0], bodies_[1]);
    point.m_combinedSpinningFriction = btManifoldResult::calculateCombinedSpinningFriction(bodies_[0], bodies_[1]);
    point.m_combinedRestitution = btManifoldResult::calculateCombinedRestitution(bodies_[0], bodies_[1]);
    if (const btManifoldPoint* before = known(candidate.key)) {
        point.m_appliedImpulse = before->m_appliedImpulse;
        point.m_appliedImpulseLateral1 = before->m_appliedImpulseLateral1;
        point.m_appliedImpulseLateral2 = before->m_appliedImpulseLateral2;
        point.m_lifeTime = before->m_lifeTime + 1;
    }
    point.m_partId0 = candidate.key.side;
    point.m_index0 = static_cast<int>(candidate.key.point);
    manifold.addManifoldPoint(point);
}

void RigidContact::finish() {
    // What the solver wrote into the manifolds is known by now.
    last_.clear();
    for (btPersistentManifold* manifold : manifolds_) {
        for (int i = 0; i < manifold->getNumContacts(); ++i) {
            const btManifoldPoint& point = manifold->getContactPoint(i);
            last_.push_back({{point.m_partId0, static_cast<std::uint32_t>(point.m_index0)}, point});
        }
        manifold->clearManifold();
    }
    const std::vector<Candidate> points = chosen();
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i / 4 == manifolds_.size()) manifolds_.push_back(m_dispatcher->getNewManifold(bodies_[0], bodies_[1]));
        add(points[i], *manifolds_[i / 4]);
    }
}

} // namespace bullet
