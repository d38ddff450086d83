// Answers within a budget of time or steps.
#ifndef PROXEL_TRACKER_HPP
#define PROXEL_TRACKER_HPP

#include <proxel/mesh.hpp>
#include <proxel/result.hpp>

#include <cstdint>
#include <vector>

namespace proxel {
inline namespace PROXEL_MODE {

/// A time-critical query may take so long.
inline PrxBudget budget(double microseconds, std::uint64_t steps = UINT64_MAX) { return {microseconds, steps}; }

/// Owns a tracker: the nearest triangles of two meshes, followed from step to step.
class Tracker : public Owned<PrxTracker, prx_tracker_destroy> {
public:
    using Owned::Owned;

    /// Follows both meshes to where they are now.
    Result<PrxTracked> step(const PrxPose& pose_a, const PrxPose& pose_b, PrxBudget budget) {
        PrxTracked tracked{};
        PrxStatus status = prx_tracker_step(context_, id_, &pose_a, &pose_b, budget, &tracked);
        return done(status, tracked);
    }
    /// The regions where the meshes are close, nearest first.
    Result<std::vector<PrxActivePair>> pairs() const {
        return all<PrxActivePair>([this](PrxActivePair* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_tracker_pairs(context_, id_, out, capacity, count);
        });
    }
    /// What collides after the last step, in all regions around active pairs; see PrxTrackerDef.colliding.
    Result<std::vector<PrxActivePair>> collisions() const {
        return all<PrxActivePair>([this](PrxActivePair* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_tracker_collisions(context_, id_, out, capacity, count);
        });
    }
};

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_TRACKER_HPP
