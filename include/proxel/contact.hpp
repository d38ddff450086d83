// Contacts of bodies, contacts that are followed without waiting, and friction.
#ifndef PROXEL_CONTACT_HPP
#define PROXEL_CONTACT_HPP

#include <proxel/field.hpp>
#include <proxel/mesh.hpp>
#include <proxel/result.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace proxel {
inline namespace PROXEL_MODE {

/// The contacts of two bodies.
struct Contacts {
    PrxManifold manifold{};
    std::vector<PrxContact> contacts;
    std::vector<PrxPatch> patches;
    std::vector<std::uint32_t> ended; // places in the contacts of the last step that have no successor
};

/// What is near the fields of bodies.
struct SoftContacts {
    std::vector<PrxSoftContact> contacts;
    std::vector<float> forces; // three numbers per vertex of the mesh, where a law was given
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
/// The same body elsewhere. Position and rotation (x, y, z, w) are anything with an index, such as an engine's vectors and quaternions.
template <typename Position, typename Rotation>
PrxBody at(PrxBody body, const Position& position, const Rotation& rotation) {
    body.position[0] = position[0], body.position[1] = position[1], body.position[2] = position[2];
    body.rotation[0] = static_cast<float>(rotation[0]), body.rotation[1] = static_cast<float>(rotation[1]);
    body.rotation[2] = static_cast<float>(rotation[2]), body.rotation[3] = static_cast<float>(rotation[3]);
    return body;
}

/// Owns a follower: it asks a pair again and again without waiting.
class Follower : public Owned<PrxFollower, prx_follower_destroy> {
public:
    using Owned::Owned;

    /// Asks for the contact as it is now, and gives the newest answer that is finished, of this or an earlier call.
    Result<PrxFollowed> ask(const PlacedField& field, const Placed& mesh, const PrxFollowDef& def = prx_follow_def_default()) {
        PrxFollowed followed{};
        PrxStatus status = prx_follower_ask(context_, id_, field.field, &field.pose, mesh.mesh, &mesh.pose, &def, &followed);
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

/// Static friction at a patch of two bodies. `grip` is kept by the caller per patch, handed on to the patch that continues it, and starts with zeros.
inline Result<PrxPatchFriction> patch_friction(const PrxBody& a, const PrxBody& b, const PrxPatch& patch, const PrxFrictionDef& def,
                                               PrxGrip& grip) {
    PrxPatchFriction friction{};
    PrxStatus status = prx_patch_friction(&a, &b, &patch, &def, &grip, &friction);
    return done(status, friction);
}

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_CONTACT_HPP
