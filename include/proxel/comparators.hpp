// Hierarchies of the caller's choice. They exist to be compared with those that the exact queries keep by themselves: see the last
// part of proxel.h.
#ifndef PROXEL_COMPARATORS_HPP
#define PROXEL_COMPARATORS_HPP

#include <proxel/arrays.hpp>
#include <proxel/mesh.hpp>
#include <proxel/result.hpp>

#include <cstdint>
#include <vector>

namespace proxel {
inline namespace PROXEL_MODE {

/// Owns a hierarchy of the caller's choice.
class Hierarchy : public Owned<PrxHierarchy, prx_hierarchy_destroy> {
public:
    using Owned::Owned;

    /// Follows the mesh to where it is now.
    Result<PrxHierarchyChange> update() {
        PrxHierarchyChange change = PRX_HIERARCHY_CHANGE_NOTHING;
        PrxStatus status = prx_hierarchy_update(context_, id_, &change);
        return done(status, change);
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
    /// Takes the volumes of a deformation that the mesh has been updated to.
    Result<void> deform(View<float> amplitudes) {
        return done(prx_hierarchy_deform(context_, id_, amplitudes.data, static_cast<std::uint32_t>(amplitudes.count)));
    }
    /// The pairs of triangles that intersect where both stand; null is where they are.
    Result<std::vector<PrxTrianglePair>> pairs(const Hierarchy& other, const PrxPose* pose = nullptr, const PrxPose* other_pose = nullptr) const {
        return all<PrxTrianglePair>(
            [&](PrxTrianglePair* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_hierarchy_pairs(context_, id_, pose, other.handle(), other_pose, out, capacity, count);
            },
            Mesh::first_pairs);
    }
};

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_COMPARATORS_HPP
