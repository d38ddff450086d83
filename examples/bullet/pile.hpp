// A pile of bodies that are not convex in a pen: knots and rabbits, with Proxel or with Bullet's own GImpact.
#pragma once

#include "dispatcher.hpp"
#include "picture/view.hpp"

#include <memory>

namespace bullet {

enum class Method { proxel, gimpact };

// The shapes of the pile, the same for both methods.
struct PileShapes {
    std::vector<std::shared_ptr<SolidShape>> solids;

    PileShapes(const proxel::Context& context, std::size_t triangles, std::uint32_t field_resolution);
};

class Pile {
public:
    static constexpr btScalar time_step = btScalar(1) / 120;
    static constexpr btScalar half_width = btScalar(2.3); // of the pen
    static constexpr btScalar margin = btScalar(0.01);    // GImpact's own default

    Pile(const proxel::Context& context, const PileShapes& shapes, Method method, int bodies);
    ~Pile();

    void step();

    // Kinetic and potential, of all bodies.
    double energy() const;
    double kinetic_energy() const;
    // The fastest centre of a body.
    double speed() const;
    // How deep any body is in another or below a plane of the pen: exactly, on triangles, by prx_mesh_proximity. 0 for not at all.
    double depth() const;
    // How far the farthest centre of a body is outside the pen; 0 when all are inside.
    double escape() const;
    // Every number that places a body.
    std::vector<float> state() const;

    cli::View view() const;

private:
    struct Body {
        std::shared_ptr<SolidShape> solid;
        std::unique_ptr<btCollisionShape> other; // GImpact's shape of the same mesh, if it is used
        std::unique_ptr<btRigidBody> body;
    };

    void add_planes();
    void add_body(std::shared_ptr<SolidShape> solid, Method method, int number);
    PrxPose pose(const Body& body) const;

    const proxel::Context& context_;
    std::unique_ptr<btDefaultCollisionConfiguration> configuration_;
    std::unique_ptr<btCollisionDispatcher> dispatcher_;
    Dispatcher* proxel_ = nullptr; // the same, or none
    std::unique_ptr<btBroadphaseInterface> broadphase_;
    std::unique_ptr<btConstraintSolver> solver_;
    std::unique_ptr<btDiscreteDynamicsWorld> world_;
    std::vector<std::unique_ptr<btStaticPlaneShape>> plane_shapes_;
    std::vector<std::unique_ptr<btRigidBody>> planes_;
    std::vector<Body> bodies_;
    std::vector<cli::Vec3> framed_;
    cli::Mesh floor_;
};

} // namespace bullet
