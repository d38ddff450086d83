// A cloth with a thickness falls over a body that moves and deforms, and over itself. Near lists find what is close, XPBD keeps it apart,
// and no vertex moves farther than is proved safe, so that nothing ever passes through anything.
#pragma once

#include "fabric.hpp"
#include "picture/view.hpp"
#include "swaying_body.hpp"

#include <proxel.hpp>

#include <array>
#include <vector>

namespace drape {

// Where the processor time of a step goes.
enum class Stage { update, near_body, near_itself, solve };
constexpr std::array<const char*, 4> stage_names{"update", "near the body", "near itself", "solve"};
using Times = std::array<double, stage_names.size()>; // in seconds, of all threads together

struct SceneDef {
    std::uint32_t side = 72; // vertices along a side of the cloth
    float width = 2.6f;
    float lift = 0.06f; // from the top of the body to the cloth
    std::size_t body_triangles = 4000;
    float step = 1.0f / 240.0f;
    int iterations = 12;
    float gravity = 9.81f;
    float friction = 0.4f;
    // Parts of the cloth's spacing: what surfaces are kept apart by, and up to where they are looked for.
    float thickness = 0.35f;
    float search = 0.8f;
};

class Scene {
public:
    Scene(const proxel::Context& context, const SceneDef& def);

    // One step; what each stage took is added to `times`.
    void advance(Times& times);

    const Fabric& fabric() const { return fabric_; }
    const SwayingBody& body() const { return body_; }
    float body_time() const { return time_; }
    std::size_t near_body() const { return near_body_.size(); }     // pairs of the last step
    std::size_t near_itself() const { return near_itself_.size(); } // pairs of the last step
    // Triangles that intersect, decided exactly: of the cloth with itself, and with the body.
    std::size_t intersections() const;
    float lowest() const, highest() const; // heights of the cloth
    cli::View view() const;

private:
    // A pair of features, kept apart along the direction that was between them.
    struct Barrier {
        std::array<std::uint32_t, 4> vertices;
        std::array<float, 4> shares; // negative on the side that the direction comes from
        int count;                   // of these, vertices of the cloth
        cli::Vec3 direction;
        cli::Vec3 fixed_before, fixed; // what the body's vertices add, before the step and after it
    };

    // How far each vertex of the cloth and of the body may move so that nothing passes through anything.
    std::array<std::vector<float>, 2> safe_limits() const;
    // The body goes on as far as that is safe: when the cloth is in its way, it waits for it.
    void move_body(const std::vector<float>& limits);
    std::vector<Barrier> barriers(const std::vector<PrxNearPair>& pairs, bool with_body) const;
    void hold_apart(const std::vector<Barrier>& barriers, float friction);

    SceneDef def_;
    SwayingBody body_;
    Fabric fabric_; // above the body
    std::vector<cli::Vec3> body_before_;
    float time_ = 0;
    const proxel::Context* context_;
    proxel::Mesh cloth_mesh_, body_mesh_;
    std::vector<PrxNearPair> near_body_, near_itself_;
};

} // namespace drape
