// Proxel as Jolt's narrow phase of solids: before each step the contacts of all pairs are found in one batch, and Jolt's jobs look them up.
#pragma once

#include "pair.hpp"
#include "solid_shape.hpp"

#include <Jolt/Physics/PhysicsStepListener.h>

#include <map>
#include <string>

namespace jolt {

// What was found for the step, by what Jolt tells when it asks: the shapes of the two bodies, and where they are.
class Answers {
public:
    void clear() { found_.clear(); }
    void add(const SolidShape* first, const SolidShape* second, const Placing& placing, const Pair& pair);
    // Null where nobody asked ahead.
    const Pair* find(const SolidShape* first, const SolidShape* second, const Placing& placing) const;

private:
    struct Found {
        Placing placing;
        const Pair* pair; // null where shapes are shared, so that nobody knows whose contacts these are
    };
    std::map<std::pair<const SolidShape*, const SolidShape*>, Found> found_;
};

class NarrowPhase final : public JPH::PhysicsStepListener {
public:
    // Serves one physics system, until one of the two is destroyed.
    NarrowPhase(const proxel::Context& context, JPH::PhysicsSystem& system);
    ~NarrowPhase() override;
    NarrowPhase(const NarrowPhase&) = delete;

    Asking asking;
    bool ahead = true; // all pairs of a step in one batch; otherwise each asks when Jolt comes to it
    // What was wrong with the last step, or empty. Its pairs keep the contacts that they had.
    const std::string& trouble() const { return trouble_; }
    std::size_t pairs_asked() const { return asked_.size(); } // in the last step
    // The physics system is about to be destroyed before this is.
    void forget_system() { system_ = nullptr; }

    const std::shared_ptr<Answers>& answers() const { return answers_; }
    void OnStep(float time, JPH::PhysicsSystem& system) override;

private:
    using Key = std::pair<JPH::BodyID, JPH::BodyID>;

    void visit(const JPH::Body& first, const JPH::Body& second, const JPH::PhysicsSystem& system, float time);
    void drop_old(const JPH::PhysicsSystem& system);
    void answer();

    JPH::PhysicsSystem* system_;
    PrxContext* context_;
    proxel::Batch batch_;
    std::map<Key, Pair> pairs_;
    std::vector<Pair*> asked_;
    std::vector<std::pair<Key, Pair*>> seen_;
    std::shared_ptr<Answers> answers_ = std::make_shared<Answers>();
    std::string trouble_;
    std::uint64_t step_ = 0;
};

} // namespace jolt
