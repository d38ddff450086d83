// Proxel for C++17: move-only owners over proxel.h, header-only.
//
// Every call that can fail gives a Result. Look at it:
//     auto context = proxel::Context::open();
//     if (!context) return complain(context.message());
// or take what is in it, in one line:
//     proxel::Context context = proxel::Context::open().value();
// value() throws proxel::Error when there is nothing to take. Without exceptions (-fno-exceptions, or
// PROXEL_NO_EXCEPTIONS defined) it prints the message and aborts instead, so there check first. The same source
// compiles both ways.
//
// Owners hold a handle and nothing else; the handle is there for any call of proxel.h. Moved-from owners are empty, and
// calls on them fail with PRX_STATUS_INVALID_HANDLE. An owner may outlive its context: the id behind it is stale then.
//
// Threads: as in proxel.h; moving or destroying an owner is for one thread at a time.
#ifndef PROXEL_HPP
#define PROXEL_HPP

#include <proxel.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if !defined(PROXEL_NO_EXCEPTIONS) && !defined(__cpp_exceptions)
#define PROXEL_NO_EXCEPTIONS
#endif
#ifndef PROXEL_NO_EXCEPTIONS
#include <stdexcept>
#endif

// One inline namespace per mode, so that translation units of both can be linked into one program.
#ifdef PROXEL_NO_EXCEPTIONS
#define PROXEL_MODE without_exceptions
#else
#define PROXEL_MODE with_exceptions
#endif

namespace proxel {
inline namespace PROXEL_MODE {

// --- what a call gives -----------------------------------------------------------------------------------------------

/// What went wrong: the status and the error message.
struct Failure {
    PrxStatus status;
    std::string message;
};

/// The failure of the C call that just returned `status` on this thread.
inline Failure failure(PrxStatus status) { return {status, prx_last_error(nullptr)}; }

#ifndef PROXEL_NO_EXCEPTIONS
/// A failure, thrown by Result::value.
class Error : public std::runtime_error {
public:
    explicit Error(const Failure& failure)
        : std::runtime_error(std::string(prx_status_name(failure.status)) + ": " + failure.message),
          status_(failure.status) {}
    PrxStatus status() const noexcept { return status_; }

private:
    PrxStatus status_;
};
#endif

/// Throws the failure; without exceptions, prints it and aborts.
[[noreturn]] inline void raise(const Failure& failure) {
#ifndef PROXEL_NO_EXCEPTIONS
    throw Error(failure);
#else
    std::fprintf(stderr, "%s: %s\n", prx_status_name(failure.status), failure.message.c_str());
    std::abort();
#endif
}

/// What a call gives: a value, or a failure.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : value_(std::move(value)) {}
    Result(Failure failure) : failure_(std::move(failure)) {}

    bool ok() const noexcept { return value_.has_value(); }
    explicit operator bool() const noexcept { return ok(); }
    PrxStatus status() const noexcept { return failure_.status; }
    /// The error message; empty on success.
    const std::string& message() const noexcept { return failure_.message; }

    /// The value; raises the failure when there is none.
    T& value() & {
        if (!value_) raise(failure_);
        return *value_;
    }
    /// By value, so that `for (auto& x : call().value())` has something to walk over.
    T value() && { return std::move(value()); }

private:
    std::optional<T> value_;
    Failure failure_{PRX_STATUS_OK, {}};
};

/// What a call gives that has no answer but that it worked.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Failure failure) : failure_(std::move(failure)) {}

    bool ok() const noexcept { return failure_.status == PRX_STATUS_OK; }
    explicit operator bool() const noexcept { return ok(); }
    PrxStatus status() const noexcept { return failure_.status; }
    /// The error message; empty on success.
    const std::string& message() const noexcept { return failure_.message; }

    /// Nothing; raises the failure if there is one.
    void value() const {
        if (!ok()) raise(failure_);
    }

private:
    Failure failure_{PRX_STATUS_OK, {}};
};

/// The result of a C call without an answer.
inline Result<void> done(PrxStatus status) {
    if (status != PRX_STATUS_OK) return failure(status);
    return {};
}

/// The result of a C call that wrote `value`.
template <typename T>
Result<std::decay_t<T>> done(PrxStatus status, T&& value) {
    if (status != PRX_STATUS_OK) return failure(status);
    return std::forward<T>(value);
}

/// Asks a C call how much there is, then for all of it: `call(out, capacity, &count)`. It asks again while there is more
/// than before, as another thread may be adding. `first` is how much the first try has room for.
template <typename T, typename Call>
Result<std::vector<T>> all(Call call, std::size_t first = 0) {
    std::vector<T> items(first);
    for (;;) {
        std::uint64_t count = 0;
        PrxStatus status = call(items.data(), std::uint64_t{items.size()}, &count);
        if (status == PRX_STATUS_OK || status == PRX_STATUS_BUFFER_TOO_SMALL)
            items.resize(static_cast<std::size_t>(count));
        if (status != PRX_STATUS_BUFFER_TOO_SMALL) return done(status, std::move(items));
    }
}

// --- views of the caller's arrays ------------------------------------------------------------------------------------

/// Some items of the caller's, not copied: a vector, a std::array, a C array, an initializer list, or pointer and count.
template <typename T>
struct View {
    const T* data = nullptr;
    std::size_t count = 0;

    View() = default;
    View(const T* first, std::size_t items) : data(first), count(items) {}
    View(std::initializer_list<T> items) : data(items.begin()), count(items.size()) {}
    template <typename C, typename = std::enable_if_t<std::is_convertible_v<decltype(std::data(std::declval<C&>())), const T*>>>
    View(const C& items) : data(std::data(items)), count(std::size(items)) {}
};

/// Cuts a count to the C API's 32 bits; one that does not fit becomes the largest, which no device takes.
inline std::uint32_t count32(std::size_t count) {
    constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
    return count > most ? most : static_cast<std::uint32_t>(count);
}

/// Whether a vertex type can begin with three floats: not an array or a struct with an `x` of other numbers.
template <typename V, typename = void>
struct BeginsWithFloats : std::bool_constant<!std::is_arithmetic_v<V>> {};
template <typename T, std::size_t N>
struct BeginsWithFloats<T[N]> : std::bool_constant<std::is_same_v<std::remove_cv_t<T>, float>> {};
template <typename T, std::size_t N>
struct BeginsWithFloats<std::array<T, N>> : std::is_same<T, float> {};
template <typename V>
struct BeginsWithFloats<V, std::void_t<decltype(std::declval<V&>().x)>>
    : std::is_same<std::decay_t<decltype(std::declval<V&>().x)>, float> {};

/// The failure of an array whose length is not a multiple of three, or none.
inline std::optional<Failure> not_in_threes(std::size_t items, const char* what) {
    if (items % 3 == 0) return std::nullopt;
    return Failure{PRX_STATUS_INVALID_ARGUMENT, std::to_string(items) + " " + what};
}

/// Positions: an array of floats, three per vertex, or of vertices that begin with three floats.
struct Positions {
    const void* data = nullptr;
    std::uint32_t count = 0;
    std::uint64_t stride = 12;
    std::size_t floats = 0;  ///< Length of an array of floats, which must be a multiple of three.

    Positions() = default;
    Positions(const void* first, std::uint32_t vertices, std::uint64_t bytes_apart = 12)
        : data(first), count(vertices), stride(bytes_apart) {}
    template <typename C, typename V = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<C&>()))>>>
    Positions(const C& vertices) : data(std::data(vertices)) {
        if constexpr (std::is_same_v<V, float>) {
            floats = std::size(vertices);
            count = count32(floats / 3);
        } else {
            static_assert(sizeof(V) >= 12 && std::is_trivially_copyable_v<V> && BeginsWithFloats<V>::value,
                          "a vertex begins with three floats");
            count = count32(std::size(vertices));
            stride = sizeof(V);
        }
    }
    /// Why this cannot be positions, if it cannot.
    std::optional<Failure> refused() const {
        return not_in_threes(floats, "floats are not whole positions: there are three per vertex");
    }
};

/// Indices: an array of 16- or 32-bit numbers, three per triangle, or of triangles of three such numbers.
struct Indices {
    const void* data = nullptr;
    std::uint32_t triangles = 0;
    PrxIndexType type = PRX_INDEX_TYPE_U32;
    std::size_t numbers = 0;  ///< Length of an array of numbers, which must be a multiple of three.

    Indices() = default;
    Indices(const void* first, std::uint32_t triangle_count, PrxIndexType index_type)
        : data(first), triangles(triangle_count), type(index_type) {}
    template <typename C, typename I = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<C&>()))>>>
    Indices(const C& indices) : data(std::data(indices)) {
        constexpr bool narrow = std::is_same_v<I, std::uint16_t> || std::is_same_v<I, std::array<std::uint16_t, 3>>;
        constexpr bool wide = std::is_same_v<I, std::uint32_t> || std::is_same_v<I, std::array<std::uint32_t, 3>>;
        static_assert(narrow || wide, "indices are uint16_t or uint32_t, single or in arrays of three");
        numbers = std::is_integral_v<I> ? std::size(indices) : 0;
        triangles = count32(std::is_integral_v<I> ? numbers / 3 : std::size(indices));
        type = narrow ? PRX_INDEX_TYPE_U16 : PRX_INDEX_TYPE_U32;
    }
    /// Why this cannot be indices, if it cannot.
    std::optional<Failure> refused() const {
        return not_in_threes(numbers, "indices are not whole triangles: there are three per triangle");
    }
};

// --- meshes ----------------------------------------------------------------------------------------------------------

/// A mesh def of host memory; fill in the rest by hand (flags, the engine's buffer). Arrays that are not in threes are left null,
/// which prx_mesh_create refuses.
inline PrxMeshDef mesh_def(Positions positions, Indices indices, const char* label = nullptr) {
    PrxMeshDef def = prx_mesh_def_default();
    def.label = label;
    def.positions = positions.refused() ? nullptr : positions.data;
    def.vertex_count = positions.count;
    def.position_stride = positions.stride;
    def.indices = indices.refused() ? nullptr : indices.data;
    def.triangle_count = indices.triangles;
    def.index_type = indices.type;
    return def;
}

/// Owns something that lives in a context and is named by an id. Moves, does not copy.
template <typename Id, PrxStatus (*Destroy)(PrxContext*, Id)>
class Owned {
public:
    Owned() = default;
    /// Takes over what the C API made.
    Owned(PrxContext* context, Id id) : context_(context), id_(id) {}
    Owned(Owned&& other) noexcept
        : context_(std::exchange(other.context_, nullptr)), id_(std::exchange(other.id_, Id{0})) {}
    Owned& operator=(Owned&& other) noexcept {
        Owned taken(std::move(other));
        std::swap(context_, taken.context_);
        std::swap(id_, taken.id_);
        return *this;
    }
    ~Owned() {
        if (id_.id != 0) Destroy(context_, id_);
    }

    Id handle() const noexcept { return id_; }
    explicit operator bool() const noexcept { return id_.id != 0; }
    /// Gives it away: the caller destroys it.
    Id release() noexcept { return std::exchange(id_, Id{0}); }

protected:
    PrxContext* context_ = nullptr;
    Id id_{0};
};

/// Owns a mesh. Its destruction leaves it to batches in flight until they are done.
class Mesh : public Owned<PrxMesh, prx_mesh_destroy> {
public:
    using Owned::Owned;

    /// Replaces positions from vertex `first` on; the mesh was made with PRX_MESH_DEFORMING.
    Result<void> update(Positions positions, std::uint32_t first = 0) {
        if (auto failure = positions.refused()) return *failure;
        return done(prx_mesh_update(context_, id_, first, positions.count, positions.data, positions.stride));
    }
    /// Counts, box, area, volume, topology of the mesh as it is now.
    Result<PrxMeshFacts> facts(PrxVertices vertices = PRX_VERTICES_INDEXED) const {
        PrxMeshFacts facts{};
        PrxStatus status = prx_mesh_facts(context_, id_, vertices, &facts);
        return done(status, facts);
    }
    /// The box under a pose, now: a batch of one. It contains every vertex.
    Result<PrxBounds> bounds(const PrxPose& pose = prx_pose_identity()) const {
        PrxBounds bounds{};
        PrxStatus status = prx_mesh_bounds(context_, id_, &pose, &bounds);
        return done(status, bounds);
    }
    /// The triangles in cluster order; PrxCluster says which belong to which.
    Result<std::vector<std::uint32_t>> cluster_triangles() const {
        return all<std::uint32_t>([this](std::uint32_t* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_mesh_cluster_triangles(context_, id_, out, capacity, count);
        });
    }

    /// The pairs of this mesh's triangles that intersect where they should not.
    Result<std::vector<PrxTrianglePair>> self_pairs() const {
        return all<PrxTrianglePair>(
            [this](PrxTrianglePair* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_mesh_self_pairs(context_, id_, out, capacity, count);
            },
            first_pairs);
    }

    /// Room for pairs in the first try: asking twice would search twice.
    static constexpr std::size_t first_pairs = 4096;
};

/// A mesh and where it is.
struct Placed {
    PrxMesh mesh{0};
    PrxPose pose = prx_pose_identity();

    Placed(const Mesh& what, const PrxPose& where = prx_pose_identity()) : mesh(what.handle()), pose(where) {}
};

// --- fields ----------------------------------------------------------------------------------------------------------

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

// --- scenes ----------------------------------------------------------------------------------------------------------

/// Owns a scene: objects that come, move and go. Its destruction is that of its objects, not of their meshes.
class Scene : public Owned<PrxScene, prx_scene_destroy> {
public:
    using Owned::Owned;

    /// Places a mesh; objects may share one.
    Result<PrxObject> add(const Placed& what) {
        PrxObject object{0};
        PrxStatus status = prx_scene_add(context_, id_, what.mesh, &what.pose, &object);
        return done(status, object);
    }
    /// Moves an object.
    Result<void> move(PrxObject object, const PrxPose& pose) {
        return done(prx_scene_move(context_, id_, &object, &pose, 1));
    }
    /// Moves objects to the poses of the same numbers: all of them, or none. There are as many poses as objects.
    Result<void> move(View<PrxObject> objects, View<PrxPose> poses) {
        if (objects.count != poses.count)
            return Failure{PRX_STATUS_INVALID_ARGUMENT, std::to_string(objects.count) + " objects and " +
                                                            std::to_string(poses.count) + " poses: one pose per object"};
        return done(prx_scene_move(context_, id_, objects.data, poses.data, objects.count));
    }
    /// Takes an object out.
    Result<void> remove(PrxObject object) { return done(prx_scene_remove(context_, id_, object)); }

    /// Pairs of objects whose boxes are at most `distance` apart: the broad phase.
    Result<std::vector<PrxObjectPair>> object_pairs(double distance = 0) const {
        return all<PrxObjectPair>(
            [&](PrxObjectPair* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_scene_object_pairs(context_, id_, distance, out, capacity, count);
            },
            Mesh::first_pairs);
    }
    /// Pairs of triangles of different objects at most `distance` apart; 0 for those that intersect.
    Result<std::vector<PrxScenePair>> pairs(double distance = 0) const {
        return all<PrxScenePair>(
            [&](PrxScenePair* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_scene_pairs(context_, id_, distance, out, capacity, count);
            },
            Mesh::first_pairs);
    }
    /// Pairs of objects at most `distance` apart, decided on their triangles; 0 for those that touch.
    Result<std::vector<PrxObjectPair>> colliding(double distance = 0, const PrxCullDef& def = prx_cull_def_default(),
                                                 PrxCullStats* stats = nullptr) const {
        return all<PrxObjectPair>(
            [&](PrxObjectPair* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_scene_colliding(context_, id_, distance, &def, out, capacity, count, stats);
            },
            Mesh::first_pairs);
    }
};

// --- within a budget -------------------------------------------------------------------------------------------------

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
};

// --- chosen hierarchies ----------------------------------------------------------------------------------------------

/// Owns a hierarchy of the caller's choice.
class Hierarchy : public Owned<PrxHierarchy, prx_hierarchy_destroy> {
public:
    using Owned::Owned;

    /// Follows the mesh to where it is now.
    Result<PrxHierarchyChange> update() {
        std::uint32_t updated = 0;
        PrxStatus status = prx_hierarchy_update(context_, id_, &updated);
        return done(status, static_cast<PrxHierarchyChange>(updated));
    }
    /// Fits it to morph targets, meshes with the same triangles.
    Result<void> set_targets(View<PrxMesh> targets) {
        return done(prx_hierarchy_set_targets(context_, id_, targets.data, static_cast<std::uint32_t>(targets.count)));
    }
    /// Takes the volumes of a blend that the mesh has been updated to.
    Result<void> blend(View<float> weights) {
        return done(prx_hierarchy_blend(context_, id_, weights.data, static_cast<std::uint32_t>(weights.count)));
    }
    /// Tells the displacement fields of the mesh, which is at rest: three floats per vertex, field after field.
    Result<void> set_displacements(const float* displacements, std::uint32_t fields) {
        return done(prx_hierarchy_set_displacements(context_, id_, displacements, fields));
    }
    /// Takes the boxes of a deformation that the mesh has been updated to.
    Result<void> deform(View<float> amplitudes) {
        return done(prx_hierarchy_deform(context_, id_, amplitudes.data, static_cast<std::uint32_t>(amplitudes.count)));
    }
    /// The pairs of triangles that intersect.
    Result<std::vector<PrxTrianglePair>> pairs(const Hierarchy& other) const {
        return all<PrxTrianglePair>(
            [&](PrxTrianglePair* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_hierarchy_pairs(context_, id_, other.handle(), out, capacity, count);
            },
            Mesh::first_pairs);
    }
};

/// A field and where its body is.
struct PlacedField {
    PrxField field{0};
    PrxPose pose = prx_pose_identity();

    PlacedField(const Field& what, const PrxPose& where = prx_pose_identity()) : field(what.handle()), pose(where) {}
};

// --- followers -------------------------------------------------------------------------------------------------------

/// Owns a follower: it asks a pair again and again without waiting.
class Follower : public Owned<PrxFollower, prx_follower_destroy> {
public:
    using Owned::Owned;

    /// Asks for the contact as it is now, and gives the newest answer that is finished, of this or an earlier call.
    Result<PrxFollowed> ask(const PlacedField& field, const Placed& mesh) {
        PrxFollowed followed{};
        PrxStatus status = prx_follower_ask(context_, id_, field.field, &field.pose, mesh.mesh, &mesh.pose, &followed);
        return done(status, followed);
    }
};

/// Static friction for a contact: the force on the field's body at the contact's centroid; the opposite acts on the mesh. `anchor` is
/// kept by the caller from step to step and starts with zeros.
inline Result<std::array<float, 3>> static_friction(const PrxPenalty& contact, const PrxPose& field_pose, const PrxPose& mesh_pose,
                                                    float coefficient, float stiffness, PrxAnchor& anchor) {
    std::array<float, 3> force{};
    PrxStatus status =
        prx_static_friction(&contact, &field_pose, &mesh_pose, coefficient, stiffness, &anchor, force.data());
    return done(status, force);
}

// --- batches ---------------------------------------------------------------------------------------------------------

/// A layered depth image: its rays, and stretches of them.
struct Layers {
    PrxLayersInfo info{};
    std::vector<PrxLayer> layers;
};

/// The contacts of two bodies.
struct Contacts {
    PrxManifold manifold{};
    std::vector<PrxContact> contacts;
    std::vector<PrxPatch> patches;
    std::vector<std::uint32_t> ended; // places in the contacts of the last step that have no successor
};

/// A body at the origin: set its position, rotation, scale and offsets.
inline PrxBody body(const Mesh& mesh) {
    PrxBody body = prx_body_default();
    body.mesh = mesh.handle();
    return body;
}
inline PrxBody body(const Mesh& mesh, const Field& field) {
    PrxBody body = prx_body_default();
    body.mesh = mesh.handle();
    body.field = field.handle();
    return body;
}
inline PrxBody body(const Field& field) {
    PrxBody body = prx_body_default();
    body.field = field.handle();
    return body;
}

/// PRX_CONTAINMENT_* bits, one number per point.
struct Containment {
    std::vector<std::uint32_t> points;
};

/// How a shared volume changes with the vertices of both meshes: three numbers per vertex, in the world.
struct IntersectionGradients {
    std::vector<float> a, b;
};

/// Names a query of a batch, and the type of its answer.
template <typename Answer>
struct Ticket {
    PrxTicket handle{0};
};

/// Owns a batch: record queries, submit, wait, read answers by ticket.
class Batch {
public:
    Batch() = default;
    /// Takes over a batch of the C API.
    explicit Batch(PrxBatch* batch) : batch_(batch) {}
    Batch(Batch&& other) noexcept : batch_(std::exchange(other.batch_, nullptr)) {}
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

    /// Records the box of a mesh under a pose.
    Result<Ticket<PrxBounds>> bounds(const Mesh& mesh, const PrxPose& pose = prx_pose_identity()) {
        Ticket<PrxBounds> ticket;
        PrxStatus status = prx_batch_bounds(batch_, mesh.handle(), &pose, &ticket.handle);
        return done(status, ticket);
    }
    /// Records a refit of the mesh's clusters to its current positions.
    Result<Ticket<std::vector<PrxCluster>>> clusters(const Mesh& mesh) {
        Ticket<std::vector<PrxCluster>> ticket;
        PrxStatus status = prx_batch_clusters(batch_, mesh.handle(), &ticket.handle);
        return done(status, ticket);
    }
    /// Records samples of a field at points of the world, which are copied.
    Result<Ticket<std::vector<PrxSample>>> sample(const PlacedField& field, Positions points) {
        if (auto failure = points.refused()) return *failure;
        Ticket<std::vector<PrxSample>> ticket;
        PrxStatus status =
            prx_batch_sample(batch_, field.field, &field.pose, points.data, points.count, points.stride, &ticket.handle);
        return done(status, ticket);
    }

    /// Records the volume that two closed meshes have in common.
    Result<Ticket<PrxIntersectionVolume>> intersection_volume(const Placed& a, const Placed& b, const PrxLdiDef& def = prx_ldi_def_default()) {
        Ticket<PrxIntersectionVolume> ticket;
        PrxStatus status = prx_batch_intersection_volume(batch_, a.mesh, &a.pose, b.mesh, &b.pose, &def, &ticket.handle);
        return done(status, ticket);
    }
    /// Records how that volume changes as each vertex moves.
    Result<Ticket<IntersectionGradients>> intersection_gradients(const Placed& a, const Placed& b, const PrxLdiDef& def = prx_ldi_def_default()) {
        Ticket<IntersectionGradients> ticket;
        PrxStatus status = prx_batch_intersection_gradients(batch_, a.mesh, &a.pose, b.mesh, &b.pose, &def, &ticket.handle);
        return done(status, ticket);
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

    /// Records the contacts of two bodies; `previous` are those of the last step.
    Result<Ticket<Contacts>> contacts(const PrxBody& a, const PrxBody& b, const PrxContactsDef& def = prx_contacts_def_default(),
                                      View<PrxContact> previous = {}) {
        Ticket<Contacts> ticket;
        PrxStatus status =
            prx_batch_contacts(batch_, &a, &b, &def, previous.data, count32(previous.count), &ticket.handle);
        return done(status, ticket);
    }
    /// Records the proximity of a mesh to a field.
    Result<Ticket<PrxProximity>> proximity(const PlacedField& field, const Placed& mesh,
                                           const PrxProximityDef& def = prx_proximity_def_default()) {
        Ticket<PrxProximity> ticket;
        PrxStatus status =
            prx_batch_proximity(batch_, field.field, &field.pose, mesh.mesh, &mesh.pose, &def, &ticket.handle);
        return done(status, ticket);
    }
    /// Records the penalty forces between a field's body and a mesh.
    Result<Ticket<PrxPenalty>> penalty(const PlacedField& field, const Placed& mesh,
                                       const PrxPenaltyDef& def = prx_penalty_def_default()) {
        Ticket<PrxPenalty> ticket;
        PrxStatus status =
            prx_batch_penalty(batch_, field.field, &field.pose, mesh.mesh, &mesh.pose, &def, &ticket.handle);
        return done(status, ticket);
    }
    /// Records whether a mesh touches or enters a field's body.
    Result<Ticket<PrxOverlap>> overlap(const PlacedField& field, const Placed& mesh,
                                       const PrxOverlapDef& def = prx_overlap_def_default()) {
        Ticket<PrxOverlap> ticket;
        PrxStatus status =
            prx_batch_overlap(batch_, field.field, &field.pose, mesh.mesh, &mesh.pose, &def, &ticket.handle);
        return done(status, ticket);
    }

    /// Records that a live field is baked anew from its mesh; queries recorded after it see the new field.
    Result<void> rebake(const Field& field) { return done(prx_batch_rebake(batch_, field.handle())); }

    /// Submits everything recorded, after `waits` are reached; `signals` are signalled when it is done.
    Result<void> submit(View<PrxTimelinePoint> waits = {}, View<PrxTimelinePoint> signals = {}) {
        PrxSubmitDef def = prx_submit_def_default();
        def.waits = waits.data;
        def.wait_count = count32(waits.count);
        def.signals = signals.data;
        def.signal_count = count32(signals.count);
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
    /// Forgets the recorded queries; their tickets are stale from then on.
    Result<void> reset() { return done(prx_batch_reset(batch_)); }

    /// The answer of bounds().
    Result<PrxBounds> read(Ticket<PrxBounds> ticket) const {
        PrxBounds bounds{};
        PrxStatus status = prx_batch_bounds_result(batch_, ticket.handle, &bounds);
        return done(status, bounds);
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
    /// The answer of proximity().
    Result<PrxProximity> read(Ticket<PrxProximity> ticket) const {
        PrxProximity answer{};
        PrxStatus status = prx_batch_proximity_result(batch_, ticket.handle, &answer);
        return done(status, answer);
    }
    /// The answer of penalty().
    Result<PrxPenalty> read(Ticket<PrxPenalty> ticket) const {
        PrxPenalty answer{};
        PrxStatus status = prx_batch_penalty_result(batch_, ticket.handle, &answer);
        return done(status, answer);
    }
    /// The answer of overlap().
    Result<PrxOverlap> read(Ticket<PrxOverlap> ticket) const {
        PrxOverlap answer{};
        PrxStatus status = prx_batch_overlap_result(batch_, ticket.handle, &answer);
        return done(status, answer);
    }
    /// The answer of clusters().
    Result<std::vector<PrxCluster>> read(Ticket<std::vector<PrxCluster>> ticket) const {
        return all<PrxCluster>([&](PrxCluster* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_clusters_result(batch_, ticket.handle, out, capacity, count);
        });
    }
    /// The answer of sample().
    Result<std::vector<PrxSample>> read(Ticket<std::vector<PrxSample>> ticket) const {
        return all<PrxSample>([&](PrxSample* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_sample_result(batch_, ticket.handle, out, capacity, count);
        });
    }

    /// The answer of intersection_volume().
    Result<PrxIntersectionVolume> read(Ticket<PrxIntersectionVolume> ticket) const {
        PrxIntersectionVolume volume{};
        PrxStatus status = prx_batch_intersection_volume_result(batch_, ticket.handle, &volume, nullptr);
        return done(status, volume);
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
    /// The answer of contains().
    Result<Containment> read(Ticket<Containment> ticket) const {
        Containment answer;
        std::uint64_t count = 0;
        prx_batch_contains_result(batch_, ticket.handle, nullptr, 0, &count);
        answer.points.resize(static_cast<std::size_t>(count));
        PrxStatus status = prx_batch_contains_result(batch_, ticket.handle, answer.points.data(), count, &count);
        return done(status, std::move(answer));
    }
    /// The answer of layers() or self_overlaps().
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

private:
    PrxBatch* batch_ = nullptr;
};

// --- contexts --------------------------------------------------------------------------------------------------------

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
    /// Waits until everything submitted has finished.
    Result<void> wait_idle() const { return done(prx_context_wait_idle(context_)); }
    /// The pipeline cache as a blob: store it, and give it to the next context in PrxContextDef.
    Result<std::vector<std::uint8_t>> pipeline_cache() const {
        return all<std::uint8_t>([this](std::uint8_t* out, std::uint64_t capacity, std::uint64_t* size) {
            return prx_context_pipeline_cache(context_, out, capacity, size);
        });
    }

    /// Creates a mesh from a def; mesh_def() helps to fill it.
    Result<Mesh> mesh(const PrxMeshDef& def) const {
        PrxMesh mesh{0};
        PrxStatus status = prx_mesh_create(context_, &def, &mesh);
        return done(status, Mesh(context_, mesh));
    }
    /// Creates a mesh from host memory, which is copied.
    Result<Mesh> mesh(Positions positions, Indices indices, const char* label = nullptr, std::uint32_t flags = 0) const {
        if (auto failure = positions.refused()) return *failure;
        if (auto failure = indices.refused()) return *failure;
        PrxMeshDef def = mesh_def(positions, indices, label);
        def.flags = flags;
        return mesh(def);
    }
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
    /// Creates an empty scene.
    Result<Scene> scene() const {
        PrxScene scene{0};
        PrxStatus status = prx_scene_create(context_, &scene);
        return done(status, Scene(context_, scene));
    }
    /// Creates a tracker of two meshes, which must outlive its steps.
    Result<Tracker> tracker(const Mesh& a, const Mesh& b, const PrxTrackerDef& def = prx_tracker_def_default()) const {
        PrxTracker tracker{0};
        PrxStatus status = prx_tracker_create(context_, a.handle(), b.handle(), &def, &tracker);
        return done(status, Tracker(context_, tracker));
    }
    /// Creates a follower of contacts.
    Result<Follower> follower(const PrxProximityDef& proximity = prx_proximity_def_default(),
                              const PrxPenaltyDef& penalty = prx_penalty_def_default()) const {
        PrxFollower follower{0};
        PrxStatus status = prx_follower_create(context_, &proximity, &penalty, &follower);
        return done(status, Follower(context_, follower));
    }
    /// Builds a hierarchy over a mesh as it is now.
    Result<Hierarchy> hierarchy(const Mesh& mesh, const PrxHierarchyDef& def = prx_hierarchy_def_default()) const {
        PrxHierarchy hierarchy{0};
        PrxStatus status = prx_hierarchy_create(context_, mesh.handle(), &def, &hierarchy);
        return done(status, Hierarchy(context_, hierarchy));
    }
    /// Creates an empty batch.
    Result<Batch> batch() const {
        PrxBatch* batch = nullptr;
        PrxStatus status = prx_batch_create(context_, &batch);
        return done(status, Batch(batch));
    }

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
    /// The first contact of two rigid meshes on screws between two poses of each.
    Result<PrxImpact> sweep_poses(const Placed& a, const PrxPose& to_a, const Placed& b, const PrxPose& to_b,
                                  const PrxSweepDef& def = prx_sweep_def_default()) const {
        PrxImpact impact{};
        PrxStatus status = prx_mesh_sweep_poses(context_, a.mesh, &a.pose, &to_a, b.mesh, &b.pose, &to_b, &def, &impact);
        return done(status, impact);
    }
    /// How likely two meshes collide, without a look at their triangles.
    Result<PrxChance> collision_chance(const Placed& a, const Placed& b, double enough, PrxBudget budget) const {
        PrxChance chance{};
        PrxStatus status = prx_mesh_collision_chance(context_, a.mesh, &a.pose, b.mesh, &b.pose, enough, budget, &chance);
        return done(status, chance);
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

private:
    PrxContext* context_ = nullptr;
};

// --- versions --------------------------------------------------------------------------------------------------------

/// Whether the library that was loaded fits this header.
inline bool fits_header() { return prx_abi_version() == PRX_ABI_VERSION; }

}  // namespace PROXEL_MODE
}  // namespace proxel

#undef PROXEL_MODE

#endif  // PROXEL_HPP
