// Meshes, and where they are.
#ifndef PROXEL_MESH_HPP
#define PROXEL_MESH_HPP

#include <proxel/arrays.hpp>
#include <proxel/result.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace proxel {
inline namespace PROXEL_MODE {

/// A mesh def of host memory; fill in the rest by hand (flags, the engine's buffer). Arrays that are not in threes are left null,
/// which prx_mesh_create refuses.
inline PrxMeshDef mesh_def(MeshPositions positions, Indices indices, const char* label = nullptr) {
    PrxMeshDef def = prx_mesh_def_default();
    def.label = label;
    def.positions = positions.refused() ? nullptr : positions.data;
    def.vertex_count = positions.count;
    def.position_stride = positions.stride;
    def.position_format = positions.format;
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

    /// Replaces positions from vertex `first` on; the mesh was made with PRX_MESH_DEFORMING, and of doubles if these are doubles.
    Result<void> update(MeshPositions positions, std::uint32_t first = 0) {
        if (auto failure = positions.refused()) return *failure;
        const auto update = positions.format == PRX_POSITION_FORMAT_F64 ? prx_mesh_update_f64 : prx_mesh_update;
        return done(update(context_, id_, first, positions.count, positions.data, positions.stride));
    }
    /// Gives it other triangles and positions; objects of scenes follow.
    Result<void> replace(const PrxMeshDef& def) { return done(prx_mesh_replace(context_, id_, &def)); }
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

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_MESH_HPP
