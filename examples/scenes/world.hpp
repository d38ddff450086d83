// What a scene needs of a physics engine: solids that move, joints to the world, a step. Jolt and Bullet each have one.
#pragma once

#include "mesh/mesh.hpp"
#include "picture/view.hpp"
#include "pose.hpp"

#include <proxel.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scenes {

struct Settings {
    float time_step = 1.0f / 120;
    float reach = 0.02f;      // of contacts that are made ahead
    float slack = 0.005f;     // bodies move by it before their contacts are asked for anew
    std::uint32_t patches = 8; // of contacts, per pair
    int iterations = 10;      // of the solver
    bool sleeping = false;    // bodies at rest may be put to sleep
    PrxContactSampling sampling = PRX_CONTACT_SAMPLING_ALL;
};

struct ShapeDef {
    cli::Mesh mesh;                // closed
    std::uint32_t resolution = 64; // cells along the longest side of its field
    float thickness = 0;           // a skin around it
};

struct BodyDef {
    std::size_t shape = 0;
    double mass = 1; // 0 for one that stays
    cli::Pose pose;  // of the mesh's own frame
    float friction = 0.5f;
    float damping = 0; // of velocity and spin, per second
    float opacity = 1; // in pictures
};

class World {
public:
    static constexpr double gravity = 9.81; // along -y

    virtual ~World() = default;

    std::size_t add_shape(ShapeDef def);
    std::size_t add_body(const BodyDef& def);
    // Bodies of no mass keep their place; others turn about an axis through `point` from here on.
    virtual void hinge(std::size_t body, cli::Vec3 point, cli::Vec3 axis) = 0;
    virtual void set_spin(std::size_t body, cli::Vec3 spin) = 0;
    virtual void set_velocity(std::size_t body, cli::Vec3 velocity) = 0;
    virtual void step() = 0;

    std::size_t bodies() const { return bodies_.size(); }
    virtual cli::Pose pose(std::size_t body) const = 0; // of the mesh's own frame
    virtual cli::Vec3 velocity(std::size_t body) const = 0; // of the centre of mass
    virtual cli::Vec3 spin(std::size_t body) const = 0;
    virtual std::size_t pairs_asked() const = 0; // of Proxel, in the last step

    cli::Vec3 centre(std::size_t body) const; // of mass
    double kinetic_energy() const;
    double energy() const; // kinetic and of height
    double speed() const;  // of the fastest body
    // The deepest point of any body in another, by exact queries on the triangles; 0 for none.
    double depth() const;
    // Every number that places a body.
    std::vector<float> state() const;
    cli::View view() const;

protected:
    struct Shape {
        ShapeDef def;
        cli::Vec3 centre;
        double inertia[3][3]; // about the centre, for a mass of 1
        float radius;
        proxel::Mesh mesh;
    };

    explicit World(const proxel::Context& context) : context_(context) {}
    // A new shape or body, the last of the list; `centre` is where its centre of mass is.
    virtual void make_shape(const Shape& shape) = 0;
    virtual void make_body(const BodyDef& def, const Shape& shape, cli::Vec3 centre) = 0;
    const Shape& shape_of(std::size_t body) const { return shapes_[bodies_[body].shape]; }

    const proxel::Context& context_;

private:
    std::vector<Shape> shapes_;
    std::vector<BodyDef> bodies_;
};

std::unique_ptr<World> jolt_world(const proxel::Context& context, const Settings& settings);
std::unique_ptr<World> bullet_world(const proxel::Context& context, const Settings& settings);

// What the engines have by themselves: Jolt with the convex pieces that a mesh is cut into, Bullet with GImpact. For comparison.
using Cut = std::function<std::vector<cli::Mesh>(const cli::Mesh&)>;
std::unique_ptr<World> jolt_pieces_world(const proxel::Context& context, const Settings& settings, const Cut& cut);
std::unique_ptr<World> gimpact_world(const proxel::Context& context, const Settings& settings);

} // namespace scenes
