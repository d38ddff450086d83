// Exact queries of a batch: they run on the CPU threads from the submission on, while the caller goes on.
#ifndef PROXEL_EXACT_BATCH_HPP
#define PROXEL_EXACT_BATCH_HPP

#include <proxel/arrays.hpp>
#include <proxel/mesh.hpp>
#include <proxel/result.hpp>
#include <proxel/scene.hpp>

#include <cstdint>
#include <vector>

namespace proxel {
inline namespace PROXEL_MODE {

/// Names a query of a batch, and the type of its answer.
template <typename Answer>
struct Ticket {
    PrxTicket handle{0};
};

/// What a Batch records of exact queries. Positions are those of the submission; answers are those of the functions of Context. `room` bounds a list:
/// reading one that is longer is PRX_STATUS_OUT_OF_HOST_MEMORY.
class ExactBatch {
public:
    // Distances, pairs and intersections

    /// Records the exact distance of two meshes.
    Result<Ticket<PrxDistance>> distance(const Placed& a, const Placed& b,
                                         const PrxDistanceDef& def = prx_distance_def_default()) {
        Ticket<PrxDistance> ticket;
        PrxStatus status = prx_batch_distance(batch_, a.mesh, &a.pose, b.mesh, &b.pose, &def, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of distance().
    Result<PrxDistance> read(Ticket<PrxDistance> ticket) const {
        PrxDistance answer{};
        PrxStatus status = prx_batch_distance_result(batch_, ticket.handle, &answer);
        return done(status, answer);
    }
    /// Records how deep points of the world are inside a closed mesh, and their ways out; they are copied.
    Result<Ticket<std::vector<PrxExit>>> exits(const Placed& mesh, Positions points) {
        if (auto failure = points.refused()) return *failure;
        Ticket<std::vector<PrxExit>> ticket;
        PrxStatus status = prx_batch_exits(batch_, mesh.mesh, &mesh.pose, points.data, points.count, points.stride, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of exits().
    Result<std::vector<PrxExit>> read(Ticket<std::vector<PrxExit>> ticket) const {
        return all<PrxExit>([&](PrxExit* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_exits_result(batch_, ticket.handle, out, capacity, count);
        });
    }
    /// Records the pairs of triangles at most `distance` apart; 0 for those that intersect.
    Result<Ticket<std::vector<PrxPair>>> pairs(const Placed& a, const Placed& b, double distance = 0,
                                               std::uint64_t room = UINT64_MAX) {
        Ticket<std::vector<PrxPair>> ticket;
        PrxStatus status = prx_batch_pairs(batch_, a.mesh, &a.pose, b.mesh, &b.pose, distance, room, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of pairs().
    Result<std::vector<PrxPair>> read(Ticket<std::vector<PrxPair>> ticket) const {
        return all<PrxPair>([&](PrxPair* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_pairs_result(batch_, ticket.handle, out, capacity, count);
        });
    }
    /// Records the pairs of triangles of a mesh that intersect where they should not.
    Result<Ticket<std::vector<PrxTrianglePair>>> self_pairs(const Mesh& mesh, std::uint64_t room = UINT64_MAX) {
        Ticket<std::vector<PrxTrianglePair>> ticket;
        PrxStatus status = prx_batch_self_pairs(batch_, mesh.handle(), room, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of self_pairs().
    Result<std::vector<PrxTrianglePair>> read(Ticket<std::vector<PrxTrianglePair>> ticket) const {
        return all<PrxTrianglePair>([&](PrxTrianglePair* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_self_pairs_result(batch_, ticket.handle, out, capacity, count);
        });
    }
    /// Records the exact volume that two closed meshes have in common.
    Result<Ticket<PrxExactIntersection>> exact_intersection(const Placed& a, const Placed& b) {
        Ticket<PrxExactIntersection> ticket;
        PrxStatus status = prx_batch_exact_intersection(batch_, a.mesh, &a.pose, b.mesh, &b.pose, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of exact_intersection().
    Result<PrxExactIntersection> read(Ticket<PrxExactIntersection> ticket) const {
        PrxExactIntersection answer{};
        PrxStatus status = prx_batch_exact_intersection_result(batch_, ticket.handle, &answer);
        return done(status, answer);
    }
    /// Records what two closed meshes have in common, to be asked about.
    Result<Ticket<PrxIntersection>> intersection(const Placed& a, const Placed& b) {
        Ticket<PrxIntersection> ticket;
        PrxStatus status = prx_batch_intersection(batch_, a.mesh, &a.pose, b.mesh, &b.pose, &ticket.handle);
        return done(status, ticket);
    }
    /// Names what intersection() found, anew with each call; `Intersection(context.handle(), read(ticket).value())` owns it.
    Result<PrxIntersection> read(Ticket<PrxIntersection> ticket) const {
        PrxIntersection answer{};
        PrxStatus status = prx_batch_intersection_result(batch_, ticket.handle, &answer);
        return done(status, answer);
    }
    /// Records all vertices inside tetrahedra of any of the bodies, themselves too; their arrays are copied.
    Result<Ticket<std::vector<PrxVertexInside>>> vertices_inside(View<PrxTetrahedralBody> bodies, std::uint64_t room = UINT64_MAX) {
        Ticket<std::vector<PrxVertexInside>> ticket;
        PrxStatus status = prx_batch_tetrahedra_inside(batch_, bodies.data, count32(bodies.count), room, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of vertices_inside().
    Result<std::vector<PrxVertexInside>> read(Ticket<std::vector<PrxVertexInside>> ticket) const {
        return all<PrxVertexInside>([&](PrxVertexInside* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_tetrahedra_inside_result(batch_, ticket.handle, out, capacity, count);
        });
    }
    /// Records how deep vertices are inside of bodies of tetrahedra; their arrays are copied.
    Result<Ticket<std::vector<PrxVertexDepth>>> vertex_depths(View<PrxTetrahedralBody> bodies, std::uint64_t room = UINT64_MAX) {
        Ticket<std::vector<PrxVertexDepth>> ticket;
        PrxStatus status = prx_batch_tetrahedra_depths(batch_, bodies.data, count32(bodies.count), room, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of vertex_depths().
    Result<std::vector<PrxVertexDepth>> read(Ticket<std::vector<PrxVertexDepth>> ticket) const {
        return all<PrxVertexDepth>([&](PrxVertexDepth* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_tetrahedra_depths_result(batch_, ticket.handle, out, capacity, count);
        });
    }

    // Scenes

    /// Records pairs of triangles of different objects at most `distance` apart, with the objects where they are now.
    Result<Ticket<std::vector<PrxScenePair>>> pairs(const Scene& scene, double distance = 0, std::uint64_t room = UINT64_MAX) {
        Ticket<std::vector<PrxScenePair>> ticket;
        PrxStatus status = prx_batch_scene_pairs(batch_, scene.handle(), distance, room, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of pairs() of a scene.
    Result<std::vector<PrxScenePair>> read(Ticket<std::vector<PrxScenePair>> ticket) const {
        return all<PrxScenePair>([&](PrxScenePair* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_scene_pairs_result(batch_, ticket.handle, out, capacity, count);
        });
    }
    /// Records all impacts of the objects on their way from where they are now to where the moves take them.
    Result<Ticket<std::vector<PrxSceneImpact>>> impacts(const Scene& scene, View<PrxObjectMove> moves,
                                                        const PrxImpactsDef& def = prx_impacts_def_default()) {
        Ticket<std::vector<PrxSceneImpact>> ticket;
        PrxStatus status = prx_batch_scene_impacts(batch_, scene.handle(), moves.data, moves.count, &def, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of impacts() of a scene.
    Result<std::vector<PrxSceneImpact>> read(Ticket<std::vector<PrxSceneImpact>> ticket) const {
        return all<PrxSceneImpact>([&](PrxSceneImpact* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_scene_impacts_result(batch_, ticket.handle, out, capacity, count);
        });
    }
    /// Records the earliest of them.
    Result<Ticket<PrxSceneImpact>> first_impact(const Scene& scene, View<PrxObjectMove> moves,
                                                const PrxImpactsDef& def = prx_impacts_def_default()) {
        Ticket<PrxSceneImpact> ticket;
        PrxStatus status = prx_batch_scene_first_impact(batch_, scene.handle(), moves.data, moves.count, &def, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of first_impact(); its kind is PRX_IMPACT_KIND_NONE and its time 1 when there is none.
    Result<PrxSceneImpact> read(Ticket<PrxSceneImpact> ticket) const {
        PrxSceneImpact answer{};
        PrxStatus status = prx_batch_scene_first_impact_result(batch_, ticket.handle, &answer);
        return done(status, answer);
    }

    // Sweeps and impacts

    /// Records the first contact of two meshes whose vertices go straight from one place to another.
    Result<Ticket<PrxImpact>> sweep(const Mesh& a0, const Mesh& a1, const Mesh& b0, const Mesh& b1,
                                    const PrxSweepDef& def = prx_sweep_def_default()) {
        Ticket<PrxImpact> ticket;
        PrxStatus status = prx_batch_sweep(batch_, a0.handle(), a1.handle(), b0.handle(), b1.handle(), &def, &ticket.handle);
        return done(status, ticket);
    }
    /// Records the first contact of a mesh with itself.
    Result<Ticket<PrxImpact>> sweep_self(const Mesh& mesh0, const Mesh& mesh1,
                                    const PrxSweepDef& def = prx_sweep_def_default()) {
        Ticket<PrxImpact> ticket;
        PrxStatus status = prx_batch_sweep_self(batch_, mesh0.handle(), mesh1.handle(), &def, &ticket.handle);
        return done(status, ticket);
    }
    /// Records the first contact of two rigid meshes that move from one pose to another.
    Result<Ticket<PrxImpact>> sweep_poses(const Placed& a, const PrxPose& to_a, const Placed& b, const PrxPose& to_b,
                                    const PrxSweepDef& def = prx_sweep_def_default()) {
        Ticket<PrxImpact> ticket;
        PrxStatus status = prx_batch_sweep_poses(batch_, a.mesh, &a.pose, &to_a, b.mesh, &b.pose, &to_b, &def, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of sweep(), sweep_self() or sweep_poses().
    Result<PrxImpact> read(Ticket<PrxImpact> ticket) const {
        PrxImpact answer{};
        PrxStatus status = prx_batch_sweep_result(batch_, ticket.handle, &answer);
        return done(status, answer);
    }
    /// Records all impacts of two meshes on their way.
    Result<Ticket<std::vector<PrxFeatureImpact>>> impacts(const Mesh& a0, const Mesh& a1, const Mesh& b0, const Mesh& b1,
                                  const PrxImpactsDef& def = prx_impacts_def_default()) {
        Ticket<std::vector<PrxFeatureImpact>> ticket;
        PrxStatus status = prx_batch_impacts(batch_, a0.handle(), a1.handle(), b0.handle(), b1.handle(), &def, &ticket.handle);
        return done(status, ticket);
    }
    /// Records all impacts of a mesh with itself.
    Result<Ticket<std::vector<PrxFeatureImpact>>> impacts_self(const Mesh& mesh0, const Mesh& mesh1,
                                  const PrxImpactsDef& def = prx_impacts_def_default()) {
        Ticket<std::vector<PrxFeatureImpact>> ticket;
        PrxStatus status = prx_batch_impacts_self(batch_, mesh0.handle(), mesh1.handle(), &def, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of impacts() of two meshes or impacts_self().
    Result<std::vector<PrxFeatureImpact>> read(Ticket<std::vector<PrxFeatureImpact>> ticket) const {
        return all<PrxFeatureImpact>([&](PrxFeatureImpact* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_impacts_result(batch_, ticket.handle, out, capacity, count);
        });
    }
    /// Records the largest part of a step that is proved to be free of impacts of two meshes.
    Result<Ticket<double>> free_step(const Mesh& a0, const Mesh& a1, const Mesh& b0, const Mesh& b1,
                                  const PrxImpactsDef& def = prx_impacts_def_default()) {
        Ticket<double> ticket;
        PrxStatus status = prx_batch_free_step(batch_, a0.handle(), a1.handle(), b0.handle(), b1.handle(), &def, &ticket.handle);
        return done(status, ticket);
    }
    /// Records the same of a mesh with itself.
    Result<Ticket<double>> free_step_self(const Mesh& mesh0, const Mesh& mesh1,
                                  const PrxImpactsDef& def = prx_impacts_def_default()) {
        Ticket<double> ticket;
        PrxStatus status = prx_batch_free_step_self(batch_, mesh0.handle(), mesh1.handle(), &def, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of free_step() or free_step_self(), from 0 to 1.
    Result<double> read(Ticket<double> ticket) const {
        double answer{};
        PrxStatus status = prx_batch_free_step_result(batch_, ticket.handle, &answer);
        return done(status, answer);
    }

    // Near lists

    /// Records all vertices and faces, and edges, of two meshes that are closer than the thickness of `def`.
    Result<Ticket<std::vector<PrxNearPair>>> near_pairs(const Placed& a, const Placed& b, const PrxNearDef& def,
                                                        std::uint64_t room = UINT64_MAX) {
        Ticket<std::vector<PrxNearPair>> ticket;
        PrxStatus status = prx_batch_near(batch_, a.mesh, &a.pose, b.mesh, &b.pose, &def, room, &ticket.handle);
        return done(status, ticket);
    }
    /// Records all near pairs of a mesh with itself.
    Result<Ticket<std::vector<PrxNearPair>>> near_pairs_self(const Mesh& mesh, const PrxNearDef& def,
                                                             std::uint64_t room = UINT64_MAX) {
        Ticket<std::vector<PrxNearPair>> ticket;
        PrxStatus status = prx_batch_near_self(batch_, mesh.handle(), &def, room, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of near_pairs() or near_pairs_self().
    Result<std::vector<PrxNearPair>> read(Ticket<std::vector<PrxNearPair>> ticket) const {
        return all<PrxNearPair>([&](PrxNearPair* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_near_result(batch_, ticket.handle, out, capacity, count);
        });
    }
    /// Records how far each vertex of `a`, and then of `b`, may move so that no near pair comes as close as `separation`.
    Result<Ticket<std::vector<double>>> safe_distances(const Placed& a, const Placed& b, const PrxNearDef& def,
                                                       double separation = 0) {
        Ticket<std::vector<double>> ticket;
        PrxStatus status = prx_batch_safe_distances(batch_, a.mesh, &a.pose, b.mesh, &b.pose, &def, separation, &ticket.handle);
        return done(status, ticket);
    }
    /// Records the same for a mesh and itself.
    Result<Ticket<std::vector<double>>> safe_distances_self(const Mesh& mesh, const PrxNearDef& def, double separation = 0) {
        Ticket<std::vector<double>> ticket;
        PrxStatus status = prx_batch_safe_distances_self(batch_, mesh.handle(), &def, separation, &ticket.handle);
        return done(status, ticket);
    }
    /// The answer of safe_distances() or safe_distances_self().
    Result<std::vector<double>> read(Ticket<std::vector<double>> ticket) const {
        return all<double>([&](double* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_batch_safe_distances_result(batch_, ticket.handle, out, capacity, count);
        });
    }

protected:
    ExactBatch() = default;
    explicit ExactBatch(PrxBatch* batch) : batch_(batch) {}
    ~ExactBatch() = default;

    PrxBatch* batch_ = nullptr;
};

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_EXACT_BATCH_HPP
