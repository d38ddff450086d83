#include "pile.hpp"

#include "mesh/shapes.hpp"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

#include <algorithm>
#include <cmath>

namespace bullet {
namespace {

constexpr btScalar gravity = btScalar(9.81);

bool apart(const btRigidBody& a, const btRigidBody& b) {
    btVector3 low_a, high_a, low_b, high_b;
    a.getAabb(low_a, high_a);
    b.getAabb(low_b, high_b);
    for (int axis = 0; axis < 3; ++axis) {
        if (low_a[axis] > high_b[axis] || low_b[axis] > high_a[axis]) return true;
    }
    return false;
}

} // namespace

PileShapes::PileShapes(const proxel::Context& context, std::size_t triangles, std::uint32_t field_resolution) {
    solids.push_back(std::make_shared<SolidShape>(context, cli::knot(triangles), field_resolution));
    solids.push_back(std::make_shared<SolidShape>(context, cli::rabbit(triangles), field_resolution));
    for (auto& solid : solids) solid->setMargin(Pile::margin);
}

Pile::Pile(const proxel::Context& context, const PileShapes& shapes, Method method, int bodies)
    : context_(context), configuration_(std::make_unique<btDefaultCollisionConfiguration>()) {
    if (method == Method::proxel) {
        auto dispatcher = std::make_unique<Dispatcher>(configuration_.get(), context);
        // Vertices and the middles of edges are enough for triangles this small, if they are there well before they are needed.
        dispatcher->def.sampling = PRX_CONTACT_SAMPLING_EDGE_CENTERS;
        dispatcher->reach = btScalar(0.1);
        dispatcher->slack = btScalar(0.01);
        proxel_ = dispatcher.get();
        dispatcher_ = std::move(dispatcher);
    } else {
        dispatcher_ = std::make_unique<btCollisionDispatcher>(configuration_.get());
        btGImpactCollisionAlgorithm::registerAlgorithm(dispatcher_.get());
    }
    broadphase_ = std::make_unique<btDbvtBroadphase>();
    solver_ = std::make_unique<btSequentialImpulseConstraintSolver>();
    world_ = std::make_unique<btDiscreteDynamicsWorld>(dispatcher_.get(), broadphase_.get(), solver_.get(), configuration_.get());
    world_->setGravity({0, -gravity, 0});
    add_planes();
    for (int i = 0; i < bodies; ++i)
        add_body(shapes.solids[static_cast<std::size_t>(i + i / 4) % shapes.solids.size()], method, i);
    const float high = 2.4f + 2.1f * static_cast<float>((bodies + 3) / 4 - 1);
    for (const float x : {-half_width, half_width}) {
        for (const float z : {-half_width, half_width}) framed_.insert(framed_.end(), {{x, -0.1f, z}, {x, high, z}});
    }
    floor_ = cli::box(12);
    for (cli::Vec3& p : floor_.positions) p = {p.x * half_width, p.y * 0.05f - 0.05f, p.z * half_width};
}

Pile::~Pile() {
    for (Body& body : bodies_) world_->removeRigidBody(body.body.get());
    for (auto& plane : planes_) world_->removeRigidBody(plane.get());
}

void Pile::step() {
    world_->stepSimulation(time_step, 0);
    if (proxel_ != nullptr && !proxel_->trouble.empty()) proxel::raise({PRX_STATUS_INTERNAL, proxel_->trouble});
}

void Pile::add_planes() {
    const btVector3 normals[] = {{0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    for (const btVector3& normal : normals) {
        plane_shapes_.push_back(std::make_unique<btStaticPlaneShape>(normal, normal.y() > 0 ? 0 : -half_width));
        btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, plane_shapes_.back().get());
        info.m_friction = btScalar(0.6);
        info.m_rollingFriction = info.m_spinningFriction = btScalar(0.3); // Bullet multiplies those of two bodies
        planes_.push_back(std::make_unique<btRigidBody>(info));
        world_->addRigidBody(planes_.back().get());
    }
}

// Four a layer, each turned another way.
void Pile::add_body(std::shared_ptr<SolidShape> solid, Method method, int number) {
    Body made;
    made.solid = solid;
    btCollisionShape* shape = solid.get();
    if (method == Method::gimpact) {
        auto other = std::make_unique<btGImpactMeshShape>(&solid->triangles);
        other->setMargin(margin);
        other->updateBound();
        shape = other.get();
        made.other = std::move(other);
    }
    const btScalar mass = 1;
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, mass * solid->unit_inertia);
    info.m_friction = btScalar(0.6);
    info.m_linearDamping = btScalar(0.05);
    info.m_angularDamping = btScalar(0.2);
    info.m_rollingFriction = info.m_spinningFriction = btScalar(0.15);
    const int layer = number / 4;
    const btScalar turn = btScalar(0.7) * static_cast<btScalar>(number);
    const btVector3 axis = btVector3(btCos(turn), btScalar(0.5), btSin(turn)).normalized();
    const btScalar aside = btScalar(1.1);
    const btVector3 where(number % 2 == 0 ? -aside : aside, btScalar(1.3) + btScalar(2.1) * static_cast<btScalar>(layer),
                          number / 2 % 2 == 0 ? -aside : aside);
    info.m_startWorldTransform = btTransform(btQuaternion(axis, turn), where);
    made.body = std::make_unique<btRigidBody>(info);
    made.body->setActivationState(DISABLE_DEACTIVATION);
    world_->addRigidBody(made.body.get());
    bodies_.push_back(std::move(made));
}

double Pile::kinetic_energy() const {
    double sum = 0;
    for (const Body& body : bodies_) {
        const btVector3 v = body.body->getLinearVelocity();
        const btVector3 w = body.body->getAngularVelocity() * body.body->getWorldTransform().getBasis(); // in its own frame
        sum += 0.5 * (v.length2() + (w * w).dot(body.solid->unit_inertia)) / body.body->getInvMass();
    }
    return sum;
}

double Pile::energy() const {
    double sum = kinetic_energy();
    for (const Body& body : bodies_) sum += gravity * body.body->getWorldTransform().getOrigin().y() / body.body->getInvMass();
    return sum;
}

double Pile::speed() const {
    double most = 0;
    for (const Body& body : bodies_) most = std::max<double>(most, body.body->getLinearVelocity().length());
    return most;
}

PrxPose Pile::pose(const Body& body) const {
    PrxPose pose = prx_pose_identity();
    const btTransform& where = body.body->getWorldTransform();
    const btQuaternion turn = where.getRotation();
    for (int axis = 0; axis < 3; ++axis) pose.position[axis] = where.getOrigin()[axis];
    for (int i = 0; i < 4; ++i) pose.rotation[i] = turn[i];
    return pose;
}

double Pile::depth() const {
    double deepest = 0;
    for (const Body& a : bodies_) {
        for (const Body& b : bodies_) {
            if (&a == &b || apart(*a.body, *b.body)) continue;
            const PrxPose pose_a = pose(a), pose_b = pose(b);
            // Closed surfaces that do not meet are apart: no body here is large enough to hold another.
            if (context_.distance({a.solid->device_mesh(), pose_a}, {b.solid->device_mesh(), pose_b}).value().intersecting == 0) continue;
            PrxProximity answer{};
            proxel::done(prx_mesh_proximity(context_.handle(), a.solid->device_mesh().handle(), &pose_a,
                                            b.solid->device_mesh().handle(), &pose_b, &answer))
                .value();
            deepest = std::max<double>(deepest, -answer.distance);
        }
        for (const cli::Vec3 p : a.solid->mesh.positions) {
            const btVector3 at = a.body->getWorldTransform() * vector(p);
            deepest = std::max<double>({deepest, -at.y(), btFabs(at.x()) - half_width, btFabs(at.z()) - half_width});
        }
    }
    return deepest;
}

double Pile::escape() const {
    double most = 0;
    for (const Body& body : bodies_) {
        const btVector3 at = body.body->getWorldTransform().getOrigin();
        most = std::max<double>({most, -at.y(), btFabs(at.x()) - half_width, btFabs(at.z()) - half_width});
    }
    return most;
}

std::vector<float> Pile::state() const {
    std::vector<float> all;
    for (const Body& body : bodies_) {
        const PrxPose at = pose(body);
        all.insert(all.end(), at.position, at.position + 3);
        all.insert(all.end(), at.rotation, at.rotation + 4);
    }
    return all;
}

cli::View Pile::view() const {
    const cli::Colour colours[] = {cli::palette::blue, cli::palette::amber, cli::palette::violet, cli::palette::green};
    cli::View view;
    view.surfaces.push_back({&floor_, {}, cli::palette::clay, 1.0f, {}});
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const PrxPose at = pose(bodies_[i]);
        const cli::Pose place{{at.position[0], at.position[1], at.position[2]},
                              {at.rotation[0], at.rotation[1], at.rotation[2]},
                              at.rotation[3]};
        view.surfaces.push_back({&bodies_[i].solid->mesh, place, colours[i % 4], 1.0f, {}});
    }
    view.towards_eye = {0.5f, 0.3f, 1.0f};
    view.framed = framed_;
    return view;
}

} // namespace bullet
