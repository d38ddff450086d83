// What two closed meshes have in common, exactly.
#ifndef PROXEL_INTERSECTION_HPP
#define PROXEL_INTERSECTION_HPP

#include <proxel/mesh.hpp>
#include <proxel/result.hpp>

#include <cstdint>
#include <vector>

namespace proxel {
inline namespace PROXEL_MODE {

/// Owns what two meshes had in common when it was made.
class Intersection : public Owned<PrxIntersection, prx_intersection_destroy> {
public:
    using Owned::Owned;

    /// The volume, its derivatives and moments.
    Result<PrxExactIntersection> summary() const {
        PrxExactIntersection found{};
        PrxStatus status = prx_intersection_summary(context_, id_, &found);
        return done(status, found);
    }
    /// The connected parts, the largest first.
    Result<std::vector<PrxIntersectionRegion>> regions() const {
        return all<PrxIntersectionRegion>([this](PrxIntersectionRegion* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_intersection_regions(context_, id_, out, capacity, count);
        });
    }
    /// The parts as contacts that a solver takes; `previous` are those of the last step.
    Result<std::vector<PrxContact>> contacts(const PrxRegionContactsDef& def = prx_region_contacts_def_default(),
                                             const std::vector<PrxContact>& previous = {}) const {
        return all<PrxContact>([&](PrxContact* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_intersection_contacts(context_, id_, &def, previous.data(), static_cast<std::uint32_t>(previous.size()), nullptr, out,
                                             capacity, count);
        });
    }
    /// The patches of contacts() with the same arguments.
    Result<std::vector<PrxPatch>> patches(const PrxRegionContactsDef& def = prx_region_contacts_def_default(),
                                          const std::vector<PrxContact>& previous = {}) const {
        return all<PrxPatch>([&](PrxPatch* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_intersection_patches(context_, id_, &def, previous.data(), static_cast<std::uint32_t>(previous.size()), out, capacity,
                                            count);
        });
    }
    /// The curves where the surfaces cross.
    Result<std::vector<PrxIntersectionCurve>> curves() const {
        return all<PrxIntersectionCurve>([this](PrxIntersectionCurve* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_intersection_curves(context_, id_, out, capacity, count);
        });
    }
    /// The points of all curves.
    Result<std::vector<PrxCurvePoint>> curve_points() const {
        return all<PrxCurvePoint>([this](PrxCurvePoint* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_intersection_curve_points(context_, id_, out, capacity, count);
        });
    }
    /// How the volume changes as single vertices move; those of the first mesh first.
    Result<std::vector<PrxVertexGradient>> gradients() const {
        return all<PrxVertexGradient>([this](PrxVertexGradient* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_intersection_gradients(context_, id_, out, capacity, count);
        });
    }
    /// The corners of the boundary of what an operation makes of the meshes.
    Result<std::vector<PrxBoundaryVertex>> boundary_vertices(PrxBooleanOperation operation) const {
        return all<PrxBoundaryVertex>([&](PrxBoundaryVertex* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_intersection_boundary_vertices(context_, id_, operation, out, capacity, count);
        });
    }
    /// The triangles of that boundary.
    Result<std::vector<PrxBoundaryTriangle>> boundary_triangles(PrxBooleanOperation operation) const {
        return all<PrxBoundaryTriangle>([&](PrxBoundaryTriangle* out, std::uint64_t capacity, std::uint64_t* count) {
            return prx_intersection_boundary_triangles(context_, id_, operation, out, capacity, count);
        });
    }
};

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_INTERSECTION_HPP
