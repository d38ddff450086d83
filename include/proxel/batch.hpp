// Batches: queries that are recorded together, submitted once and read by ticket. A query and the read of its answer stand together.
#ifndef PROXEL_BATCH_HPP
#define PROXEL_BATCH_HPP

#include <proxel/arrays.hpp>
#include <proxel/contact.hpp>
#include <proxel/exact_batch.hpp>
#include <proxel/field.hpp>
#include <proxel/mesh.hpp>
#include <proxel/result.hpp>
#include <proxel/scene.hpp>
#include <proxel/volume.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace proxel {
inline namespace PROXEL_MODE {

/// Room for `capacity` records of a type, with their head, in a buffer of `bytes` bytes that was created with `usage`.
template <typename Record>
PrxBufferOutput buffer_output(std::uint64_t vk_buffer, std::uint64_t bytes, std::uint32_t usage, std::uint32_t capacity,
                              std::uint64_t offset = 0) {
    PrxBufferOutput output = prx_buffer_output_default();
    output.vk_buffer = vk_buffer;
    output.vk_buffer_size = bytes;
    output.vk_buffer_usage = usage;
    output.vk_buffer_offset = offset;
    output.capacity = capacity;
    output.record_size = sizeof(Record);
    return output;
}

/// Owns a batch: record queries, submit, wait, read answers by ticket. ExactBatch has the exact queries.
class Batch : public ExactBatch {
public:
    using ExactBatch::read;

    Batch() = default;
    /// Takes over a batch of the C API.
    explicit Batch(PrxBatch* batch) : ExactBatch(batch) {}
    Batch(Batch&& other) noexcept : ExactBatch(std::exchange(other.batch_, nullptr)) {}
    Batch& operator=(Batch&& other) noexcept {
        Batch taken(std::move(other));
        std::swap(batch_, taken.batch_);
        return *this;
    }
    /// Destroys the batch; one in flight is waited for.
    ~Batch() {
        if (batch_ != nullptr) prx_batch_destroy(batch_);
    }

    PrxBatch* handle() const noexcept { return batch_; }
    explicit operator bool() const noexcept { return batch_ != nullptr; }
    /// Gives the batch away: the caller destroys it.
    PrxBatch* release() noexcept { return std::exchange(batch_, nullptr); }

    // Submission

    /// Submits everything recorded, after `waits` are reached; `signals` are signalled when it is done. `flags`: PRX_SUBMIT_*.
    Result<void> submit(View<PrxTimelinePoint> waits = {}, View<PrxTimelinePoint> signals = {}, std::uint32_t flags = 0) {
        PrxSubmitDef def = prx_submit_def_default();
        def.waits = waits.data;
        def.wait_count = count32(waits.count);
        def.signals = signals.data;
        def.signal_count = count32(signals.count);
        def.flags = flags;
        return done(prx_batch_submit(batch_, &def));
    }
    /// Whether the answers are there; does not wait.
    Result<bool> poll() const {
        std::uint32_t is_done = 0;
        PrxStatus status = prx_batch_poll(batch_, &is_done);
        return done(status, is_done != 0);
    }
    /// Waits for the answers, as long as it takes.
    Result<void> wait() { return done(prx_batch_wait(batch_, UINT64_MAX)); }
    /// Waits for the answers: true when they are there, false when the time passed first.
    Result<bool> wait_for(std::uint64_t nanoseconds) {
        PrxStatus status = prx_batch_wait(batch_, nanoseconds);
        if (status == PRX_STATUS_TIMEOUT) return false;
        return done(status, true);
    }
    /// How long each query took, of a batch that is done and was submitted with PRX_SUBMIT_TIMINGS.
    Result<std::vector<PrxTiming>> timings() const {
        return all<PrxTiming>([&](PrxTiming* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_timings(batch_, out, capacity, count);
        });
    }
    /// Forgets the recorded queries; their tickets are stale from then on.
    Result<void> reset() { return done(prx_batch_reset(batch_)); }

    // The engine's buffers

    /// Lets a recorded query write an array of its results to a buffer: see buffer_output(). Without PRX_OUTPUT_READ it has no answer to read.
    template <typename T>
    Result<void> output(Ticket<T> ticket, const PrxBufferOutput& output) {
        return done(prx_batch_output(batch_, ticket.handle, &output));
    }
    /// Lets a recorded query read its points, or its velocities of vertices, from a buffer of `bytes` bytes that was created with `usage`.
    template <typename T>
    Result<void> input(Ticket<T> ticket, std::uint64_t vk_buffer, std::uint64_t bytes, std::uint32_t usage, std::uint64_t offset = 0) {
        PrxBufferInput input = prx_buffer_input_default();
        input.vk_buffer = vk_buffer;
        input.vk_buffer_size = bytes;
        input.vk_buffer_usage = usage;
        input.vk_buffer_offset = offset;
        return done(prx_batch_input(batch_, ticket.handle, &input));
    }
    /// The head of an array that was written, and a failure where there were more records than room.
    template <typename T>
    Result<PrxOutputHead> output_result(Ticket<T> ticket, std::uint32_t array = 0) const {
        PrxOutputHead head{};
        PrxStatus status = prx_batch_output_result(batch_, ticket.handle, array, &head);
        return done(status, head);
    }

    // Meshes

    /// Records the box of a mesh under a pose.
    Result<Ticket<PrxBounds>> bounds(const Mesh& mesh, const PrxPose& pose = prx_pose_identity()) {
        Ticket<PrxBounds> ticket;
        PrxStatus status = prx_batch_bounds(batch_, mesh.handle(), &pose, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of bounds().
    Result<PrxBounds> read(Ticket<PrxBounds> ticket) const {
        PrxBounds bounds{};
        PrxStatus status = prx_batch_bounds_result(batch_, ticket.handle, &bounds);
        return done(status, bounds);
    }
    /// Records a refit of the mesh's clusters to its current positions.
    Result<Ticket<std::vector<PrxCluster>>> clusters(const Mesh& mesh) {
        Ticket<std::vector<PrxCluster>> ticket;
        PrxStatus status = prx_batch_clusters(batch_, mesh.handle(), &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of clusters().
    Result<std::vector<PrxCluster>> read(Ticket<std::vector<PrxCluster>> ticket) const {
        return all<PrxCluster>([&](PrxCluster* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_clusters_result(batch_, ticket.handle, out, capacity, count);
        });
    }

    // Fields

    /// Records samples of a field at points of the world, which are copied.
    Result<Ticket<std::vector<PrxSample>>> sample(const PlacedField& field, Positions points) {
        if (auto failure = points.refused()) return *failure;
        Ticket<std::vector<PrxSample>> ticket;
        PrxStatus status =
            prx_batch_sample(batch_, field.field, &field.pose, points.data, points.count, points.stride, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of sample().
    Result<std::vector<PrxSample>> read(Ticket<std::vector<PrxSample>> ticket) const {
        return all<PrxSample>([&](PrxSample* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_sample_result(batch_, ticket.handle, out, capacity, count);
        });
    }
    /// Records that a live field is baked anew from its mesh; queries recorded after it see the new field.
    Result<void> rebake(const Field& field) { return done(prx_batch_rebake(batch_, field.handle())); }

    // Contacts

    /// Records the contacts of all bodies of a scene as they are now.
    Result<Ticket<PrxSceneContacts>> contacts(const Scene& scene, const PrxContactsDef& def = prx_contacts_def_default()) {
        Ticket<PrxSceneContacts> ticket;
        PrxStatus status = prx_batch_scene_contacts(batch_, scene.handle(), &def, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of contacts() of a scene, which Scene::last_contacts has the lists of from now on.
    Result<PrxSceneContacts> read(Ticket<PrxSceneContacts> ticket) const {
        PrxSceneContacts found{};
        PrxStatus status = prx_batch_scene_contacts_result(batch_, ticket.handle, &found);
        return done(status, found);
    }
    /// Records the contacts of two bodies; `previous` are those of the last step.
    Result<Ticket<Contacts>> contacts(const PrxBody& a, const PrxBody& b, const PrxContactsDef& def = prx_contacts_def_default(),
                                      View<PrxContact> previous = {}) {
        Ticket<Contacts> ticket;
        PrxStatus status =
            prx_batch_contacts(batch_, &a, &b, &def, previous.data, count32(previous.count), &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of contacts().
    Result<Contacts> read(Ticket<Contacts> ticket) const {
        Contacts answer;
        PrxStatus status = prx_batch_contacts_manifold(batch_, ticket.handle, &answer.manifold);
        if (status != PRX_STATUS_OK) return failure(status);
        answer.contacts.resize(answer.manifold.contacts);
        answer.patches.resize(answer.manifold.patches);
        answer.ended.resize(answer.manifold.ended);
        std::uint64_t count = 0;
        status = prx_batch_contacts_result(batch_, ticket.handle, answer.contacts.data(), answer.contacts.size(), &count);
        if (status == PRX_STATUS_OK)
            status = prx_batch_contacts_patches(batch_, ticket.handle, answer.patches.data(), answer.patches.size(), &count);
        if (status == PRX_STATUS_OK)
            status = prx_batch_contacts_ended(batch_, ticket.handle, answer.ended.data(), answer.ended.size(), &count);
        return done(status, std::move(answer));
    }
    /// Records which vertices, edges and faces of the mesh of `soft` are near the fields of `bodies`. `velocities` has three numbers per
    /// vertex, or none.
    Result<Ticket<SoftContacts>> soft_contacts(const PrxBody& soft, View<PrxBody> bodies,
                                               const PrxSoftContactsDef& def = prx_soft_contacts_def_default(), View<float> velocities = {}) {
        Ticket<SoftContacts> ticket;
        PrxStatus status = prx_batch_soft_contacts(batch_, &soft, bodies.data, count32(bodies.count), &def, velocities.data,
                                                   count32(velocities.count), &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of soft_contacts().
    Result<SoftContacts> read(Ticket<SoftContacts> ticket) const {
        auto contacts = all<PrxSoftContact>([&](PrxSoftContact* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_soft_contacts_result(batch_, ticket.handle, out, capacity, count);
        });
        if (!contacts) return failure(contacts.status());
        auto forces = all<float>([&](float* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_soft_contacts_forces(batch_, ticket.handle, out, capacity, count);
        });
        if (!forces) return failure(forces.status());
        return SoftContacts{std::move(contacts).value(), std::move(forces).value()};
    }
    /// Records the proximity of a mesh to a field.
    Result<Ticket<PrxProximity>> proximity(const PlacedField& field, const Placed& mesh,
                                           const PrxProximityDef& def = prx_proximity_def_default()) {
        Ticket<PrxProximity> ticket;
        PrxStatus status =
            prx_batch_proximity(batch_, field.field, &field.pose, mesh.mesh, &mesh.pose, &def, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of proximity().
    Result<PrxProximity> read(Ticket<PrxProximity> ticket) const {
        PrxProximity answer{};
        PrxStatus status = prx_batch_proximity_result(batch_, ticket.handle, &answer);
        return done(status, answer);
    }
    /// Records the penalty forces between a field's body and a mesh.
    Result<Ticket<PrxPenalty>> penalty(const PlacedField& field, const Placed& mesh,
                                       const PrxPenaltyDef& def = prx_penalty_def_default()) {
        Ticket<PrxPenalty> ticket;
        PrxStatus status =
            prx_batch_penalty(batch_, field.field, &field.pose, mesh.mesh, &mesh.pose, &def, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of penalty().
    Result<PrxPenalty> read(Ticket<PrxPenalty> ticket) const {
        PrxPenalty answer{};
        PrxStatus status = prx_batch_penalty_result(batch_, ticket.handle, &answer);
        return done(status, answer);
    }
    /// Records whether a mesh touches or enters a field's body.
    Result<Ticket<PrxOverlap>> overlap(const PlacedField& field, const Placed& mesh,
                                       const PrxOverlapDef& def = prx_overlap_def_default()) {
        Ticket<PrxOverlap> ticket;
        PrxStatus status =
            prx_batch_overlap(batch_, field.field, &field.pose, mesh.mesh, &mesh.pose, &def, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of overlap().
    Result<PrxOverlap> read(Ticket<PrxOverlap> ticket) const {
        PrxOverlap answer{};
        PrxStatus status = prx_batch_overlap_result(batch_, ticket.handle, &answer);
        return done(status, answer);
    }

    // Layered depth images

    /// Records the volume that two closed meshes have in common.
    Result<Ticket<PrxIntersectionVolume>> intersection_volume(const Placed& a, const Placed& b, const PrxLdiDef& def = prx_ldi_def_default()) {
        Ticket<PrxIntersectionVolume> ticket;
        PrxStatus status = prx_batch_intersection_volume(batch_, a.mesh, &a.pose, b.mesh, &b.pose, &def, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of intersection_volume().
    Result<PrxIntersectionVolume> read(Ticket<PrxIntersectionVolume> ticket) const {
        PrxIntersectionVolume volume{};
        PrxStatus status = prx_batch_intersection_volume_result(batch_, ticket.handle, &volume, nullptr);
        return done(status, volume);
    }
    /// Records how that volume changes as each vertex moves.
    Result<Ticket<IntersectionGradients>> intersection_gradients(const Placed& a, const Placed& b, const PrxLdiDef& def = prx_ldi_def_default()) {
        Ticket<IntersectionGradients> ticket;
        PrxStatus status = prx_batch_intersection_gradients(batch_, a.mesh, &a.pose, b.mesh, &b.pose, &def, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of intersection_gradients().
    Result<IntersectionGradients> read(Ticket<IntersectionGradients> ticket) const {
        IntersectionGradients answer;
        for (std::uint32_t mesh = 0; mesh < 2; ++mesh) {
            auto numbers = all<float>([&](float* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_batch_intersection_gradients_result(batch_, ticket.handle, mesh, out, capacity, count);
            });
            if (!numbers) return Failure{numbers.status(), numbers.message()};
            (mesh == 0 ? answer.a : answer.b) = std::move(numbers).value();
        }
        return answer;
    }
    /// Records which points of the world are inside a closed mesh; they are copied.
    Result<Ticket<Containment>> contains(const Placed& mesh, Positions points,
                                         const PrxLdiDef& def = prx_ldi_def_default()) {
        if (auto failure = points.refused()) return *failure;
        Ticket<Containment> ticket;
        PrxStatus status = prx_batch_contains(batch_, mesh.mesh, &mesh.pose, points.data, points.count, points.stride, &def,
                                              &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of contains().
    Result<Containment> read(Ticket<Containment> ticket) const {
        Containment answer;
        std::uint64_t count = 0;
        prx_batch_contains_result(batch_, ticket.handle, nullptr, 0, &count);
        answer.points.resize(static_cast<std::size_t>(count));
        PrxStatus status = prx_batch_contains_result(batch_, ticket.handle, answer.points.data(), count, &count);
        return done(status, std::move(answer));
    }
    /// Records the stretches of rays inside a closed mesh, at most `room` of them.
    Result<Ticket<Layers>> layers(const Placed& mesh, std::uint32_t room, const PrxLdiDef& def = prx_ldi_def_default()) {
        Ticket<Layers> ticket;
        PrxStatus status = prx_batch_layers(batch_, mesh.mesh, &mesh.pose, &def, room, &ticket.handle);
        return done(status, ticket);
    }
    /// Records where a closed mesh collides with itself, as far as rays see it, at most `room` stretches of them.
    Result<Ticket<Layers>> self_overlaps(const Placed& mesh, std::uint32_t room, const PrxLdiDef& def = prx_ldi_def_default()) {
        Ticket<Layers> ticket;
        PrxStatus status = prx_batch_self_overlaps(batch_, mesh.mesh, &mesh.pose, &def, room, &ticket.handle);
        return done(status, ticket);
    }
    /// Records the stretches of rays inside both of two closed meshes, at most `room` of them.
    Result<Ticket<Layers>> intersection_layers(const Placed& a, const Placed& b, std::uint32_t room,
                                               const PrxLdiDef& def = prx_ldi_def_default()) {
        Ticket<Layers> ticket;
        PrxStatus status = prx_batch_intersection_layers(batch_, a.mesh, &a.pose, b.mesh, &b.pose, &def, room, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of layers(), intersection_layers() or self_overlaps().
    Result<Layers> read(Ticket<Layers> ticket) const {
        Layers answer;
        std::uint64_t count = 0;
        prx_batch_layers_result(batch_, ticket.handle, nullptr, nullptr, 0, &count);
        answer.layers.resize(static_cast<std::size_t>(count));
        PrxStatus status =
            prx_batch_layers_result(batch_, ticket.handle, &answer.info, answer.layers.data(), count, &count);
        answer.layers.resize(static_cast<std::size_t>(count));
        return done(status, std::move(answer));
    }
};

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_BATCH_HPP
