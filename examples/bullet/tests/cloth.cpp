// A knot falls into a cloth that is held at its corners: the cloth sags, and carries it.
#include "mesh/shapes.hpp"
#include "soft_contact.hpp"
#include "witness.hpp"

#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>

#include <cmath>
#include <cstring>
#include <memory>

using namespace bullet;

namespace {

constexpr int across = 25; // nodes along a side

class Trampoline {
public:
    Trampoline(const proxel::Context& context, std::shared_ptr<SolidShape> solid)
        : dispatcher_(&configuration_, context), world_(&dispatcher_, &broadphase_, &solver_, &configuration_), shape_(*solid) {
        world_.setGravity({0, btScalar(-9.81), 0});
        world_.getWorldInfo().m_gravity = world_.getGravity();
        world_.getWorldInfo().m_sparsesdf.Initialize();
        const btScalar r = 2;
        cloth_ = btSoftBodyHelpers::CreatePatch(world_.getWorldInfo(), {-r, 0, -r}, {r, 0, -r}, {-r, 0, r}, {r, 0, r}, across, across,
                                                1 + 2 + 4 + 8, true);
        cloth_->getCollisionShape()->setMargin(btScalar(0.05));
        cloth_->m_materials[0]->m_kLST = btScalar(0.8);
        cloth_->m_cfg.piterations = 10;
        cloth_->m_cfg.kDP = btScalar(0.02);
        cloth_->m_cfg.kDF = btScalar(0.5);
        cloth_->setTotalMass(2);
        world_.addSoftBody(cloth_);
        shape_.setMargin(btScalar(0.01));
        btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, &shape_, solid->unit_inertia);
        info.m_startWorldTransform.setOrigin({0, btScalar(1.2), 0});
        info.m_friction = btScalar(0.6);
        knot_ = std::make_unique<btRigidBody>(info);
        knot_->setActivationState(DISABLE_DEACTIVATION);
        world_.addRigidBody(knot_.get());
    }
    ~Trampoline() {
        world_.removeRigidBody(knot_.get());
        world_.removeSoftBody(cloth_);
        delete cloth_;
    }

    void step() { world_.stepSimulation(btScalar(1) / 120, 0); }
    const btRigidBody& knot() const { return *knot_; }
    const btSoftBody& cloth() const { return *cloth_; }

    std::vector<float> state() const {
        std::vector<float> all;
        for (int i = 0; i < cloth_->m_nodes.size(); ++i)
            for (int axis = 0; axis < 3; ++axis) all.push_back(cloth_->m_nodes[i].m_x[axis]);
        for (int axis = 0; axis < 3; ++axis) all.push_back(knot_->getWorldTransform().getOrigin()[axis]);
        return all;
    }

private:
    btSoftBodyRigidBodyCollisionConfiguration configuration_;
    SoftDispatcher dispatcher_;
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btSoftRigidDynamicsWorld world_;
    SolidShape& shape_;
    btSoftBody* cloth_ = nullptr;
    std::unique_ptr<btRigidBody> knot_;
};

} // namespace

TEST_CASE("a knot falls onto a cloth") {
    test::Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const auto solid = std::make_shared<SolidShape>(context, cli::knot(1500), 48);
    Trampoline trampoline(context, solid), again(context, solid);
    double fastest = 0;
    for (int i = 0; i < 480; ++i) {
        trampoline.step();
        again.step();
        fastest = std::max<double>(fastest, trampoline.knot().getLinearVelocity().length());
    }
    const std::vector<float> state = trampoline.state(), twin = again.state();
    for (const float number : state) CHECK(std::isfinite(number));
    CHECK(std::memcmp(state.data(), twin.data(), state.size() * sizeof(float)) == 0);

    // In four seconds it would have fallen 78 m.
    const double height = trampoline.knot().getWorldTransform().getOrigin().y();
    CHECK((height > -1.5 && height < 1));
    CHECK(fastest > 1);
    CHECK(trampoline.knot().getLinearVelocity().length() < 0.3);
    // The cloth is below it, and was pulled down by it: a cloth of this size without a load sags less.
    double lowest = 0;
    for (std::size_t i = 1; i + 3 < state.size(); i += 3) lowest = std::min<double>(lowest, state[i]);
    CHECK(lowest < height);
    CHECK(lowest < -0.2);

    // No node is inside, measured on the knot's triangles.
    const btTransform into = trampoline.knot().getWorldTransform().inverse();
    std::vector<cli::Vec3> nodes;
    for (int i = 0; i < trampoline.cloth().m_nodes.size(); ++i) {
        const btVector3 p = into * trampoline.cloth().m_nodes[i].m_x;
        nodes.push_back({p.x(), p.y(), p.z()});
    }
    std::vector<std::uint32_t> inside(nodes.size());
    PrxLdiDef exactly = prx_ldi_def_default();
    exactly.flags = PRX_LDI_EXACT;
    CHECK_EQ(prx_mesh_contains(context.handle(), solid->device_mesh().handle(), nullptr, nodes.data(),
                               static_cast<std::uint32_t>(nodes.size()), sizeof(cli::Vec3), &exactly, inside.data()),
             PRX_STATUS_OK);
    for (const std::uint32_t bits : inside) CHECK((bits & PRX_CONTAINMENT_INSIDE) == 0);
    std::printf("the knot rests at %.3f, the cloth's lowest node is at %.3f\n", height, lowest);
}
