// Contexts: a Vulkan device and all that lives on it. What is asked at the call, and not in a batch, is asked here.
#ifndef PROXEL_CONTEXT_HPP
#define PROXEL_CONTEXT_HPP

#include <proxel/arrays.hpp>
#include <proxel/batch.hpp>
#include <proxel/comparators.hpp>
#include <proxel/contact.hpp>
#include <proxel/field.hpp>
#include <proxel/intersection.hpp>
#include <proxel/mesh.hpp>
#include <proxel/result.hpp>
#include <proxel/scene.hpp>
#include <proxel/tracker.hpp>
#include <proxel/volume.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace proxel {
inline namespace PROXEL_MODE {

/// A near list by the vertices of a mesh, in compressed rows.
struct NearRows {
    std::vector<std::uint64_t> starts;  // where the row of each vertex starts in `pairs`, and where the last one ends
    std::vector<std::uint32_t> pairs;   // places in the near list
    std::vector<double> distances;      // the smallest of each vertex, or infinity
};

/// Owns a context: a Vulkan device, opened or adopted, and all that lives on it.
class Context {
public:
    Context() = default;
    /// Takes over a context of the C API.
    explicit Context(PrxContext* context) : context_(context) {}
    Context(Context&& other) noexcept : context_(std::exchange(other.context_, nullptr)) {}
    Context& operator=(Context&& other) noexcept {
        Context taken(std::move(other));
        std::swap(context_, taken.context_);
        return *this;
    }
    /// Destroys the context; what still lives in it is named in the log and freed.
    ~Context() {
        if (context_ != nullptr) prx_context_destroy(context_);
    }

    /// Opens a device: the one named in `def`, or the best.
    static Result<Context> open(const PrxContextDef& def = prx_context_def_default()) {
        PrxContext* context = nullptr;
        PrxStatus status = prx_context_create(&def, &context);
        return done(status, Context(context));
    }
    /// Lives on the engine's device.
    static Result<Context> adopt(const PrxVulkanDevice& device, const PrxContextDef& def = prx_context_def_default()) {
        PrxContext* context = nullptr;
        PrxStatus status = prx_context_adopt(&def, &device, &context);
        return done(status, Context(context));
    }
    /// Lives on the device that Unity renders with.
    static Result<Context> on_unity(const PrxContextDef& def = prx_context_def_default()) {
        PrxContext* context = nullptr;
        PrxStatus status = prx_unity_context_create(&def, &context);
        return done(status, Context(context));
    }

    PrxContext* handle() const noexcept { return context_; }
    explicit operator bool() const noexcept { return context_ != nullptr; }
    /// Gives the context away: the caller destroys it.
    PrxContext* release() noexcept { return std::exchange(context_, nullptr); }

    /// The device, its limits, and the path taken for each optional feature.
    Result<PrxContextInfo> info() const {
        PrxContextInfo info{};
        info.size = sizeof info;
        PrxStatus status = prx_context_info(context_, &info);
        return done(status, info);
    }
    /// Bytes of device memory, by what they are for.
    Result<PrxContextMemory> memory() const {
        PrxContextMemory memory{};
        memory.size = sizeof memory;
        PrxStatus status = prx_context_memory(context_, &memory);
        return done(status, memory);
    }
    /// Waits until everything submitted has finished.
    Result<void> wait_idle() const { return done(prx_context_wait_idle(context_)); }
    /// Gives back the working memory that is kept for the next query that is answered at once.
    Result<void> trim() const { return done(prx_context_trim(context_)); }
    /// Makes the pipelines of queries ahead: a sum of PRX_WARM_UP_*. Gives how many the context has made so far.
    Result<std::uint32_t> warm_up(std::uint32_t queries = PRX_WARM_UP_ALL) const {
        std::uint32_t pipelines = 0;
        PrxStatus status = prx_context_warm_up(context_, queries, &pipelines);
        return done(status, pipelines);
    }
    /// Ends all calls that are running on this context and its batches, on any thread, and all bakes, with PRX_STATUS_CANCELLED.
    Result<void> cancel() const { return done(prx_context_cancel(context_)); }
    /// The same for calls that begin from now on and take longer than this; UINT64_MAX for no limit.
    Result<void> set_time_limit(std::uint64_t nanoseconds) const {
        return done(prx_context_set_time_limit(context_, nanoseconds));
    }
    /// The pipeline cache as a blob: store it, and give it to the next context in PrxContextDef.
    Result<std::vector<std::uint8_t>> pipeline_cache() const {
        return all<std::uint8_t>([this](std::uint8_t* out, std::uint64_t capacity, std::uint64_t* size) {
            return prx_context_pipeline_cache(context_, out, capacity, size);
        });
    }

    // Meshes

    /// Creates a mesh from a def; mesh_def() helps to fill it.
    Result<Mesh> mesh(const PrxMeshDef& def) const {
        PrxMesh mesh{0};
        PrxStatus status = prx_mesh_create(context_, &def, &mesh);
        return done(status, Mesh(context_, mesh));
    }
    /// Creates a mesh from host memory, which is copied.
    Result<Mesh> mesh(MeshPositions positions, Indices indices, const char* label = nullptr, std::uint32_t flags = 0) const {
        if (auto failure = positions.refused()) return *failure;
        if (auto failure = indices.refused()) return *failure;
        PrxMeshDef def = mesh_def(positions, indices, label);
        def.flags = flags;
        return mesh(def);
    }

    // Batches

    /// Creates an empty batch.
    Result<Batch> batch() const {
        PrxBatch* batch = nullptr;
        PrxStatus status = prx_batch_create(context_, &batch);
        return done(status, Batch(batch));
    }

    // Fields

    /// Starts baking the field of a mesh as it is now; use it after Field::wait.
    Result<Field> bake(const Mesh& mesh, const PrxFieldDef& def = prx_field_def_default()) const {
        PrxField field{0};
        PrxStatus status = prx_field_bake(context_, mesh.handle(), &def, &field);
        return done(status, Field(context_, field));
    }
    /// Makes a field from signed distances at the nodes of a grid, x fastest, and unit vectors towards the closest point,
    /// three floats per node, if there are any. `error` bounds |interpolated - exact|; negative for exact distances.
    Result<Field> field_from_samples(const PrxGrid& grid, View<float> distances, View<float> directions = {},
                                     float error = -1, PrxPrecision precision = PRX_PRECISION_F32) const {
        const std::uint64_t plane = std::uint64_t{grid.nodes[0]} * grid.nodes[1];
        const bool fits = plane == 0 || grid.nodes[2] <= UINT64_MAX / plane;
        const std::uint64_t nodes = fits ? plane * grid.nodes[2] : UINT64_MAX;
        // The C function cannot see where an array ends.
        if (distances.count != nodes)
            return Failure{PRX_STATUS_INVALID_ARGUMENT, std::to_string(distances.count) + " distances for a grid of " +
                                                            std::to_string(nodes) + " nodes"};
        if (directions.count != 0 && (directions.count % 3 != 0 || directions.count / 3 != nodes))
            return Failure{PRX_STATUS_INVALID_ARGUMENT, std::to_string(directions.count) +
                                                            " floats of directions for a grid of " +
                                                            std::to_string(nodes) + " nodes"};
        PrxField field{0};
        const float* towards = directions.count != 0 ? directions.data : nullptr;
        PrxStatus status = prx_field_from_samples(context_, &grid, distances.data, towards, error, precision, &field);
        return done(status, Field(context_, field));
    }
    /// Makes the field of a shape with a closed-form distance.
    Result<Field> field_from_shape(const PrxShape& shape, const PrxFieldDef& def = prx_field_def_default()) const {
        PrxField field{0};
        PrxStatus status = prx_field_from_shape(context_, &shape, &def, &field);
        return done(status, Field(context_, field));
    }
    /// Makes a field that follows a deforming mesh: Batch::rebake bakes it anew on the device, within `band` of the surface.
    Result<Field> live_field(const Mesh& mesh, float band, const PrxFieldDef& def = prx_field_def_default()) const {
        PrxField field{0};
        PrxStatus status = prx_field_create_live(context_, mesh.handle(), &def, band, &field);
        return done(status, Field(context_, field));
    }
    /// Reads a field in the .prxf format.
    Result<Field> read_field(View<std::uint8_t> bytes) const {
        PrxField field{0};
        PrxStatus status = prx_field_read(context_, bytes.data, bytes.count, &field);
        return done(status, Field(context_, field));
    }
    /// Loads a field from a file: .nrrd for exact distances on a grid, anything else for the .prxf format.
    Result<Field> load_field(const std::string& path) const {
        PrxField field{0};
        PrxStatus status = prx_field_load(context_, path.c_str(), &field);
        return done(status, Field(context_, field));
    }

    // Contacts, now: batches of one

    /// The contacts of two bodies; `previous` are those of the last step.
    Result<Contacts> contacts(const PrxBody& a, const PrxBody& b, const PrxContactsDef& def = prx_contacts_def_default(),
                              View<PrxContact> previous = {}) const {
        PrxBatch* made = nullptr;
        PrxStatus status = prx_batch_create(context_, &made);
        if (status != PRX_STATUS_OK) return failure(status);
        Batch one(made);
        Ticket<Contacts> ticket;
        status = prx_batch_contacts(made, &a, &b, &def, previous.data, count32(previous.count), &ticket.handle);
        if (status == PRX_STATUS_OK) status = prx_batch_submit(made, nullptr);
        if (status == PRX_STATUS_OK) status = prx_batch_wait(made, UINT64_MAX);
        if (status != PRX_STATUS_OK) return failure(status);
        return one.read(ticket);
    }
    /// Which vertices, edges and faces of the mesh of `soft` are near the fields of `bodies`.
    Result<std::vector<PrxSoftContact>> soft_contacts(const PrxBody& soft, View<PrxBody> bodies,
                                                      const PrxSoftContactsDef& def = prx_soft_contacts_def_default()) const {
        return all<PrxSoftContact>([&](PrxSoftContact* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_body_soft_contacts(context_, &soft, bodies.data, count32(bodies.count), &def, out, capacity, count);
        });
    }
    /// The point of a mesh with the smallest signed distance to a field.
    Result<PrxProximity> proximity(const PlacedField& field, const Placed& mesh,
                                   const PrxProximityDef& def = prx_proximity_def_default()) const {
        PrxProximity answer{};
        PrxStatus status =
            prx_field_proximity(context_, field.field, &field.pose, mesh.mesh, &mesh.pose, &def, &answer);
        return done(status, answer);
    }
    /// The same against the triangles of a closed mesh, exactly, on the CPU.
    Result<PrxProximity> exact_proximity(const Placed& solid, const Placed& mesh) const {
        PrxProximity answer{};
        PrxStatus status = prx_mesh_proximity(context_, solid.mesh, &solid.pose, mesh.mesh, &mesh.pose, &answer);
        return done(status, answer);
    }
    /// The forces that push a field's body and a mesh apart.
    Result<PrxPenalty> penalty(const PlacedField& field, const Placed& mesh,
                               const PrxPenaltyDef& def = prx_penalty_def_default()) const {
        PrxPenalty answer{};
        PrxStatus status = prx_field_penalty(context_, field.field, &field.pose, mesh.mesh, &mesh.pose, &def, &answer);
        return done(status, answer);
    }
    /// Whether a mesh touches or enters a field's body.
    Result<PrxOverlap> overlap(const PlacedField& field, const Placed& mesh,
                               const PrxOverlapDef& def = prx_overlap_def_default()) const {
        PrxOverlap answer{};
        PrxStatus status = prx_field_overlap(context_, field.field, &field.pose, mesh.mesh, &mesh.pose, &def, &answer);
        return done(status, answer);
    }
    /// Creates a follower of contacts.
    Result<Follower> follower(const PrxProximityDef& proximity = prx_proximity_def_default(),
                              const PrxPenaltyDef& penalty = prx_penalty_def_default()) const {
        PrxFollower follower{0};
        PrxStatus status = prx_follower_create(context_, &proximity, &penalty, &follower);
        return done(status, Follower(context_, follower));
    }

    // Layered depth images, now: batches of one

    /// The volume that two closed meshes have in common, now: a batch of one.
    Result<PrxIntersectionVolume> intersection_volume(const Placed& a, const Placed& b, const PrxLdiDef& def = prx_ldi_def_default()) const {
        PrxIntersectionVolume volume{};
        PrxStatus status = prx_mesh_intersection_volume(context_, a.mesh, &a.pose, b.mesh, &b.pose, &def, &volume, nullptr);
        return done(status, volume);
    }
    /// Which points of the world are inside a closed mesh, now: PRX_CONTAINMENT_* bits, one number per point.
    Result<Containment> contains(const Placed& mesh, Positions points, const PrxLdiDef& def = prx_ldi_def_default()) const {
        if (auto failure = points.refused()) return *failure;
        Containment answer;
        answer.points.resize(points.count);
        PrxStatus status = prx_mesh_contains(context_, mesh.mesh, &mesh.pose, points.data, points.count, points.stride, &def,
                                             answer.points.data());
        return done(status, std::move(answer));
    }

    // Exact queries, on the CPU

    /// How deep points of the world are inside a closed mesh, and their shortest ways out, now, on the CPU.
    Result<std::vector<PrxExit>> exits(const Placed& mesh, Positions points) const {
        if (auto failure = points.refused()) return *failure;
        std::vector<PrxExit> answer(points.count);
        PrxStatus status = prx_mesh_exits(context_, mesh.mesh, &mesh.pose, points.data, points.count, points.stride, answer.data());
        return done(status, std::move(answer));
    }
    /// The exact distance of two meshes, now, on the CPU.
    Result<PrxDistance> distance(const Placed& a, const Placed& b, const PrxDistanceDef& def = prx_distance_def_default()) const {
        PrxDistance distance{};
        PrxStatus status = prx_mesh_distance(context_, a.mesh, &a.pose, b.mesh, &b.pose, &def, &distance);
        return done(status, distance);
    }
    /// The exact distances of several pairs of meshes at once, on all threads.
    Result<std::vector<PrxDistance>> distances(View<PrxMeshPair> pairs,
                                               const PrxDistanceDef& def = prx_distance_def_default()) const {
        std::vector<PrxDistance> distances(pairs.count);
        PrxStatus status = prx_mesh_distances(context_, pairs.data, count32(pairs.count), &def, distances.data());
        return done(status, std::move(distances));
    }
    /// The pairs of triangles at most `distance` apart; 0 for those that intersect.
    Result<std::vector<PrxPair>> pairs(const Placed& a, const Placed& b, double distance = 0) const {
        return all<PrxPair>(
            [&](PrxPair* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_mesh_pairs(context_, a.mesh, &a.pose, b.mesh, &b.pose, distance, out, capacity, count);
            },
            Mesh::first_pairs);
    }
    /// The exact volume that two closed meshes have in common, with its derivatives and moments, now, on the CPU.
    Result<PrxExactIntersection> exact_intersection(const Placed& a, const Placed& b) const {
        PrxExactIntersection found{};
        PrxStatus status = prx_mesh_exact_intersection(context_, a.mesh, &a.pose, b.mesh, &b.pose, &found);
        return done(status, found);
    }
    /// Finds what two closed meshes have in common, to ask for its parts, curves, gradients and boundaries.
    Result<Intersection> intersection(const Placed& a, const Placed& b) const {
        PrxIntersection intersection{0};
        PrxStatus status = prx_intersection_create(context_, a.mesh, &a.pose, b.mesh, &b.pose, &intersection);
        return done(status, Intersection(context_, intersection));
    }
    /// Creates an empty scene.
    Result<Scene> scene() const {
        PrxScene scene{0};
        PrxStatus status = prx_scene_create(context_, &scene);
        return done(status, Scene(context_, scene));
    }
    /// All vertices inside tetrahedra of any of the bodies, themselves too.
    Result<std::vector<PrxVertexInside>> vertices_inside(View<PrxTetrahedralBody> bodies) const {
        return all<PrxVertexInside>(
            [&](PrxVertexInside* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_tetrahedra_inside(context_, bodies.data, static_cast<std::uint32_t>(bodies.count), out, capacity,
                                             count);
            },
            Mesh::first_pairs);
    }

    /// How deep all vertices are inside of other bodies of tetrahedra, or of their own, and which way leads out.
    Result<std::vector<PrxVertexDepth>> vertex_depths(View<PrxTetrahedralBody> bodies) const {
        return all<PrxVertexDepth>(
            [&](PrxVertexDepth* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_tetrahedra_depths(context_, bodies.data, static_cast<std::uint32_t>(bodies.count), out, capacity,
                                             count);
            },
            Mesh::first_pairs);
    }

    // Near lists

    /// All vertices and faces, and edges, of two meshes that are closer than the thickness of `def`. When there are more than `expected`,
    /// the search runs twice: give what the last step had and some more.
    Result<std::vector<PrxNearPair>> near_pairs(const Placed& a, const Placed& b, const PrxNearDef& def,
                                                std::size_t expected = Mesh::first_pairs) const {
        return all<PrxNearPair>(
            [&](PrxNearPair* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_mesh_near(context_, a.mesh, &a.pose, b.mesh, &b.pose, &def, out, capacity, count);
            },
            expected);
    }
    /// All near pairs of a mesh with itself.
    Result<std::vector<PrxNearPair>> near_pairs_self(const Mesh& mesh, const PrxNearDef& def,
                                                     std::size_t expected = Mesh::first_pairs) const {
        return all<PrxNearPair>(
            [&](PrxNearPair* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_mesh_near_self(context_, mesh.handle(), &def, out, capacity, count);
            },
            expected);
    }
    /// The pairs of a near list by the vertices of `mesh`, which is that side of it.
    Result<NearRows> near_per_vertex(const Mesh& mesh, PrxNearSide side, View<PrxNearPair> pairs) const {
        auto facts = mesh.facts();
        if (!facts) return Failure{facts.status(), facts.message()};
        const std::size_t vertices = facts.value().vertex_count;
        NearRows rows{std::vector<std::uint64_t>(vertices + 1), {}, std::vector<double>(vertices)};
        auto indices = all<std::uint32_t>(
            [&](std::uint32_t* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_mesh_near_per_vertex(context_, mesh.handle(), side, pairs.data, pairs.count, rows.starts.data(),
                                                rows.distances.data(), out, capacity, count);
            },
            4 * pairs.count);
        if (!indices) return Failure{indices.status(), indices.message()};
        rows.pairs = std::move(indices).value();
        return rows;
    }
    /// How far each vertex of `a`, and then of `b`, may move so that no near pair comes as close as `separation`.
    Result<std::vector<double>> safe_distances(const Placed& a, const Placed& b, const PrxNearDef& def,
                                               double separation = 0) const {
        return all<double>([&](double* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_mesh_safe_distances(context_, a.mesh, &a.pose, b.mesh, &b.pose, &def, separation, out, capacity, count);
        });
    }
    /// How far each vertex of a mesh may move so that no near pair of the mesh with itself comes as close as `separation`.
    Result<std::vector<double>> safe_distances_self(const Mesh& mesh, const PrxNearDef& def, double separation = 0) const {
        return all<double>([&](double* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_mesh_safe_distances_self(context_, mesh.handle(), &def, separation, out, capacity, count);
        });
    }

    // Motion

    /// The first contact while vertices go straight from `a0` to `a1` and from `b0` to `b1`.
    Result<PrxImpact> sweep(const Mesh& a0, const Mesh& a1, const Mesh& b0, const Mesh& b1,
                            const PrxSweepDef& def = prx_sweep_def_default()) const {
        PrxImpact impact{};
        PrxStatus status = prx_mesh_sweep(context_, a0.handle(), a1.handle(), b0.handle(), b1.handle(), &def, &impact);
        return done(status, impact);
    }
    /// The first contact of a mesh with itself on the way from one place of its vertices to another.
    Result<PrxImpact> sweep_self(const Mesh& mesh0, const Mesh& mesh1, const PrxSweepDef& def = prx_sweep_def_default()) const {
        PrxImpact impact{};
        PrxStatus status = prx_mesh_sweep_self(context_, mesh0.handle(), mesh1.handle(), &def, &impact);
        return done(status, impact);
    }
    /// The first contact of two rigid meshes on screws between two poses of each.
    Result<PrxImpact> sweep_poses(const Placed& a, const PrxPose& to_a, const Placed& b, const PrxPose& to_b,
                                  const PrxSweepDef& def = prx_sweep_def_default()) const {
        PrxImpact impact{};
        PrxStatus status = prx_mesh_sweep_poses(context_, a.mesh, &a.pose, &to_a, b.mesh, &b.pose, &to_b, &def, &impact);
        return done(status, impact);
    }
    /// All vertices and faces, and edges, of two meshes that meet while vertices go straight from `a0` to `a1` and from `b0` to `b1`.
    Result<std::vector<PrxFeatureImpact>> impacts(const Mesh& a0, const Mesh& a1, const Mesh& b0, const Mesh& b1,
                                                  const PrxImpactsDef& def = prx_impacts_def_default()) const {
        return all<PrxFeatureImpact>(
            [&](PrxFeatureImpact* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_mesh_impacts(context_, a0.handle(), a1.handle(), b0.handle(), b1.handle(), &def, out, capacity, count);
            },
            Mesh::first_pairs);
    }
    /// All impacts of a mesh with itself on the way from one place of its vertices to another.
    Result<std::vector<PrxFeatureImpact>> impacts_self(const Mesh& mesh0, const Mesh& mesh1,
                                                       const PrxImpactsDef& def = prx_impacts_def_default()) const {
        return all<PrxFeatureImpact>(
            [&](PrxFeatureImpact* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_mesh_impacts_self(context_, mesh0.handle(), mesh1.handle(), &def, out, capacity, count);
            },
            Mesh::first_pairs);
    }
    /// The largest part of a step, from 0 to 1, that is proved to be free of impacts of two meshes.
    Result<double> free_step(const Mesh& a0, const Mesh& a1, const Mesh& b0, const Mesh& b1,
                             const PrxImpactsDef& def = prx_impacts_def_default()) const {
        double step = 0;
        PrxStatus status = prx_mesh_free_step(context_, a0.handle(), a1.handle(), b0.handle(), b1.handle(), &def, &step);
        return done(status, step);
    }
    /// The largest part of a step that is proved to be free of impacts of a mesh with itself.
    Result<double> free_step_self(const Mesh& mesh0, const Mesh& mesh1,
                                  const PrxImpactsDef& def = prx_impacts_def_default()) const {
        double step = 0;
        PrxStatus status = prx_mesh_free_step_self(context_, mesh0.handle(), mesh1.handle(), &def, &step);
        return done(status, step);
    }

    // Within a budget

    /// Creates a tracker of two meshes, which must outlive its steps.
    Result<Tracker> tracker(const Mesh& a, const Mesh& b, const PrxTrackerDef& def = prx_tracker_def_default()) const {
        PrxTracker tracker{0};
        PrxStatus status = prx_tracker_create(context_, a.handle(), b.handle(), &def, &tracker);
        return done(status, Tracker(context_, tracker));
    }
    /// How likely two meshes collide, without a look at their triangles.
    Result<PrxChance> collision_chance(const Placed& a, const Placed& b, double enough, PrxBudget budget) const {
        PrxChance chance{};
        PrxStatus status = prx_mesh_collision_chance(context_, a.mesh, &a.pose, b.mesh, &b.pose, enough, budget, &chance);
        return done(status, chance);
    }

    // Comparators: other ways to the same pairs

    /// The same pairs with a choice of how others are sorted out.
    Result<std::vector<PrxPair>> pairs(const Placed& a, const Placed& b, double distance, const PrxCullDef& def,
                                       PrxCullStats* stats = nullptr) const {
        return all<PrxPair>(
            [&](PrxPair* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_mesh_pairs_culled(context_, a.mesh, &a.pose, b.mesh, &b.pose, distance, &def, out, capacity,
                                             count, stats);
            },
            Mesh::first_pairs);
    }
    /// Builds a hierarchy over a mesh as it is now.
    Result<Hierarchy> hierarchy(const Mesh& mesh, const PrxHierarchyDef& def = prx_hierarchy_def_default()) const {
        PrxHierarchy hierarchy{0};
        PrxStatus status = prx_hierarchy_create(context_, mesh.handle(), &def, &hierarchy);
        return done(status, Hierarchy(context_, hierarchy));
    }

private:
    PrxContext* context_ = nullptr;
};

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_CONTEXT_HPP
