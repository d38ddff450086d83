// Scenes of many objects.
#ifndef PROXEL_SCENE_HPP
#define PROXEL_SCENE_HPP

#include <proxel/arrays.hpp>
#include <proxel/mesh.hpp>
#include <proxel/result.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace proxel {
inline namespace PROXEL_MODE {

/// The contacts of a scene.
struct SceneContacts {
    PrxSceneContacts found{};
    std::vector<PrxContactPair> pairs;
    std::vector<PrxContact> contacts;
    std::vector<PrxPatch> patches;
    std::vector<std::uint32_t> ended; // places in the contacts of the answer before that have no successor
};

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
    /// The same with a choice of how others are sorted out; visibility needs nothing built, so objects may break between two frames.
    Result<std::vector<PrxScenePair>> pairs(double distance, const PrxCullDef& def, PrxCullStats* stats = nullptr) const {
        return all<PrxScenePair>(
            [&](PrxScenePair* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_scene_pairs_culled(context_, id_, distance, &def, out, capacity, count, stats);
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

    // Steps

    /// All impacts of the objects on their way from where they are to where the moves take them.
    Result<std::vector<PrxSceneImpact>> impacts(View<PrxObjectMove> moves, const PrxImpactsDef& def = prx_impacts_def_default()) const {
        return all<PrxSceneImpact>(
            [&](PrxSceneImpact* out, std::uint64_t capacity, std::uint64_t* count) {
                return prx_scene_impacts(context_, id_, moves.data, moves.count, &def, out, capacity, count);
            },
            Mesh::first_pairs);
    }
    /// The earliest of them; its kind is PRX_IMPACT_KIND_NONE and its time 1 when there is none.
    Result<PrxSceneImpact> first_impact(View<PrxObjectMove> moves, const PrxImpactsDef& def = prx_impacts_def_default()) const {
        PrxSceneImpact impact{};
        PrxStatus status = prx_scene_first_impact(context_, id_, moves.data, moves.count, &def, &impact);
        return done(status, impact);
    }
    /// The largest part of the step, from 0 to 1, that is proved to be free of impacts.
    Result<double> free_step(View<PrxObjectMove> moves, const PrxImpactsDef& def = prx_impacts_def_default()) const {
        double step = 0;
        PrxStatus status = prx_scene_free_step(context_, id_, moves.data, moves.count, &def, &step);
        return done(status, step);
    }

    // Bodies and their contacts

    /// Places a body; without a filter it is in group 1 and meets all.
    Result<PrxObject> add(const PrxBody& body, const PrxBodyFilter& filter = {1, UINT32_MAX}) {
        PrxObject object{0};
        PrxStatus status = prx_scene_add_body(context_, id_, &body, &filter, &object);
        return done(status, object);
    }
    /// Replaces a body; its pairs go on.
    Result<void> set(PrxObject object, const PrxBody& body, const PrxBodyFilter& filter = {1, UINT32_MAX}) {
        return done(prx_scene_set_body(context_, id_, object, &body, &filter));
    }
    /// Moves a body.
    Result<void> move(PrxObject object, const PrxBodyPose& pose) {
        return done(prx_scene_move_bodies(context_, id_, &object, &pose, 1));
    }
    /// Moves bodies to the poses of the same numbers: all of them, or none. There are as many poses as objects.
    Result<void> move(View<PrxObject> objects, View<PrxBodyPose> poses) {
        if (objects.count != poses.count)
            return Failure{PRX_STATUS_INVALID_ARGUMENT, std::to_string(objects.count) + " objects and " +
                                                            std::to_string(poses.count) + " poses: one pose per object"};
        return done(prx_scene_move_bodies(context_, id_, objects.data, poses.data, objects.count));
    }
    /// Pairs of bodies that are not to touch, in place of those given before.
    Result<void> exclude(View<PrxObjectPair> pairs) { return done(prx_scene_exclude(context_, id_, pairs.data, pairs.count)); }
    /// Finds the contacts of all bodies.
    Result<SceneContacts> contacts(const PrxContactsDef& def = prx_contacts_def_default()) {
        PrxSceneContacts found{};
        PrxStatus status = prx_scene_contacts(context_, id_, &def, &found);
        if (status != PRX_STATUS_OK) return failure(status);
        return last_contacts(found);
    }
    /// The lists of the last answer, whose lengths Batch::read gave.
    Result<SceneContacts> last_contacts(const PrxSceneContacts& found) const {
        SceneContacts answer;
        answer.found = found;
        answer.pairs.resize(found.pairs);
        answer.contacts.resize(found.contacts);
        answer.patches.resize(found.patches);
        answer.ended.resize(found.ended);
        std::uint64_t count = 0;
        PrxStatus status = prx_scene_contact_pairs(context_, id_, answer.pairs.data(), found.pairs, &count);
        if (status == PRX_STATUS_OK) status = prx_scene_contact_points(context_, id_, answer.contacts.data(), found.contacts, &count);
        if (status == PRX_STATUS_OK) status = prx_scene_contact_patches(context_, id_, answer.patches.data(), found.patches, &count);
        if (status == PRX_STATUS_OK) status = prx_scene_contacts_ended(context_, id_, answer.ended.data(), found.ended, &count);
        return done(status, std::move(answer));
    }
    /// Sets the caller's 64 bits of each contact of the last answer; contacts that continue them carry it on.
    Result<void> set_users(View<std::uint64_t> users) { return done(prx_scene_set_users(context_, id_, users.data, users.count)); }
};

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_SCENE_HPP
