// Scenes of many objects.
#ifndef PROXEL_SCENE_HPP
#define PROXEL_SCENE_HPP

#include <proxel/arrays.hpp>
#include <proxel/mesh.hpp>
#include <proxel/result.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace proxel {
inline namespace PROXEL_MODE {

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

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_SCENE_HPP
