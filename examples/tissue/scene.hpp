// A surgical probe, a capsule with a distance field, presses into a block of tissue, slides along it and withdraws. Soft contacts find what of the
// tissue's surface is near the probe; the solver keeps it outside, and what it takes to do so is the force that a surgeon feels.
#pragma once

#include "picture/view.hpp"
#include "tissue.hpp"

#include <proxel.hpp>

#include <vector>

namespace probing {

struct SceneDef {
    std::uint32_t cells = 12; // of the tissue, along a side
    float step = 1.0f / 120.0f;
    int iterations = 40;
    float radius = 0.3f, half_height = 0.6f; // of the probe
    float depth = 0.35f;                     // how far it presses
    float slide = 0.4f;
    float friction = 0.3f;
    float skin = 0.03f; // what the surfaces are kept apart by
};

class Scene {
public:
    Scene(const proxel::Context& context, const SceneDef& def);

    void advance(); // one step

    float time() const { return time_; }
    const Tissue& tissue() const { return tissue_; }
    cli::Pose probe() const { return pose_; }
    const cli::Mesh& probe_mesh() const { return probe_mesh_; }
    std::size_t contacts() const { return found_.size(); }
    Vec3 force_on_probe() const { return force_; }
    Vec3 force_on_anchors() const { return tissue_.force_on_anchors(def_.step); }
    // How deep the deepest vertex of the surface is in the probe, by the formula of a capsule; negative when all are outside.
    float deepest() const;
    // Vertices of the probe inside of the tissue, and of the tissue inside of itself, decided exactly.
    std::size_t vertices_inside() const;
    cli::View view() const;

    // The probe is pressed in until `pressed`, rests, slides from `slides` until `slid`, rests, and is gone at `gone`.
    static constexpr float pressed = 1.2f, slides = 2.2f, slid = 3.0f, leaves = 4.2f, gone = 5.2f;

private:
    cli::Pose probe_at(float time) const;
    void push_out(const std::vector<PrxSoftContact>& contacts, std::vector<float>& multipliers, Vec3 moved);

    SceneDef def_;
    Tissue tissue_;
    cli::Mesh probe_mesh_;
    const proxel::Context* context_;
    proxel::Mesh mesh_;
    proxel::Field field_;
    cli::Pose pose_;
    float time_ = 0;
    Vec3 force_;
    std::vector<PrxSoftContact> found_;
};

} // namespace probing
