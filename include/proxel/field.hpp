// Signed distance fields.
#ifndef PROXEL_FIELD_HPP
#define PROXEL_FIELD_HPP

#include <proxel/arrays.hpp>
#include <proxel/mesh.hpp>
#include <proxel/result.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace proxel {
inline namespace PROXEL_MODE {

/// How much of a bake is done, from 0 to 1, and whether it has ended, well or not.
struct Progress {
    float fraction = 0;
    bool ended = false;
};

/// Owns a signed distance field. Its destruction stops a bake; batches in flight keep it until they are done.
class Field : public Owned<PrxField, prx_field_destroy> {
public:
    using Owned::Owned;

    /// Waits for the bake, as long as it takes. A bake that failed or was cancelled says why.
    Result<void> wait() const { return done(prx_field_wait(context_, id_, UINT64_MAX)); }
    /// Waits for the bake: true when it is done, false when the time passed first.
    Result<bool> wait_for(std::uint64_t nanoseconds) const {
        PrxStatus status = prx_field_wait(context_, id_, nanoseconds);
        if (status == PRX_STATUS_TIMEOUT) return false;
        return done(status, true);
    }
    /// How much of the bake is done; does not wait.
    Result<Progress> progress() const {
        Progress progress;
        std::uint32_t ended = 0;
        PrxStatus status = prx_field_progress(context_, id_, &progress.fraction, &ended);
        progress.ended = ended != 0;
        return done(status, progress);
    }
    /// Stops the bake: wait() then gives PRX_STATUS_CANCELLED. A field that is ready stays ready.
    Result<void> cancel() { return done(prx_field_cancel(context_, id_)); }

    /// Grid, storage, error bound, bytes.
    Result<PrxFieldInfo> info() const {
        PrxFieldInfo info{};
        PrxStatus status = prx_field_info(context_, id_, &info);
        return done(status, info);
    }
    /// Distances, certificates and directions at points of the world, now: a batch of one.
    Result<std::vector<PrxSample>> sample(Positions points, const PrxPose& pose = prx_pose_identity()) const {
        if (auto failure = points.refused()) return *failure;
        std::vector<PrxSample> samples(points.count);
        PrxStatus status = prx_field_sample(context_, id_, &pose, points.data, points.count, points.stride, samples.data());
        return done(status, std::move(samples));
    }
    /// The field in the .prxf format.
    Result<std::vector<std::uint8_t>> write() const {
        return all<std::uint8_t>([this](std::uint8_t* out, std::uint64_t capacity, std::uint64_t* size) {
            return prx_field_write(context_, id_, out, capacity, size);
        });
    }
    /// Saves to a file: .nrrd for the distances at all nodes, anything else for the .prxf format.
    Result<void> save(const std::string& path) const { return done(prx_field_save(context_, id_, path.c_str())); }
};

/// A field and where its body is.
struct PlacedField {
    PrxField field{0};
    PrxPose pose = prx_pose_identity();

    PlacedField(const Field& what, const PrxPose& where = prx_pose_identity()) : field(what.handle()), pose(where) {}
};

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_FIELD_HPP
