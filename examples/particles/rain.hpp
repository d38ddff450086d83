// Particles rain on a body that sways, twists and breathes. Every frame one query tells which of them are inside the body as it is now, how deep,
// and where they get out; there they bounce off.
#pragma once

#include "picture/view.hpp"

#include <proxel.hpp>

#include <random>
#include <vector>

namespace rain {

struct RainDef {
    std::uint32_t particles = 100000;
    std::size_t body_triangles = 10000;
    float step = 1.0f / 60.0f;
    float gravity = 9.81f;
    float speed = 4.0f; // of a particle that starts to fall
    float bounce = 0.4f;   // what is left of the speed away from the surface
    float friction = 0.2f; // what is lost of the speed along it
};

// Where the processor time of a frame goes, in seconds, of all threads together.
struct Times {
    double deform = 0; // the body and the particles move
    double exits = 0;  // the mesh is handed over and the query answers
    double bounce = 0;
};

class Rain {
public:
    Rain(const proxel::Context& context, const RainDef& def);

    // One frame; what each stage took is added to `times`.
    void advance(Times& times);

    const cli::Mesh& body() const { return body_; }
    const proxel::Mesh& mesh() const { return mesh_; }
    const std::vector<cli::Vec3>& particles() const { return particles_; }
    std::size_t inside() const { return inside_; } // particles that the last frame found inside the body
    double deepest() const { return deepest_; }    // how deep the deepest of them was
    float fastest() const;                         // the speed of the fastest particle, or of the body where that is faster
    // The body, and every so manieth particle; those that touched it in the last frames are red.
    cli::View view(std::size_t every) const;

private:
    std::vector<cli::Vec3> body_at(float time) const;
    cli::Vec3 above(); // where the next particle starts to fall
    void fall();
    void bounce_off(std::size_t particle, const PrxExit& exit);

    RainDef def_;
    const proxel::Context* context_;
    cli::Mesh body_;
    std::vector<cli::Vec3> rest_, before_; // the body at rest, and in the last frame
    proxel::Mesh mesh_;
    std::vector<cli::Vec3> particles_, velocities_;
    std::vector<float> touched_; // seconds since each particle touched the body
    float time_ = 0;
    std::size_t inside_ = 0;
    double deepest_ = 0;
    std::mt19937 random_{1};
};

} // namespace rain
