#include "pair.hpp"

#include <algorithm>
#include <cmath>

namespace jolt {
namespace {

JPH::Vec3 vector(const double (&p)[3]) { return {float(p[0]), float(p[1]), float(p[2])}; }

// How far a point of the second body, or of the first one's surface seen from it, can have moved from one placing to the other.
float motion(const Placing& from, const Placing& to, float radius) {
    const JPH::Vec3 before = from.turns[0].Conjugated() * from.second, after = to.turns[0].Conjugated() * to.second;
    const JPH::Quat turn = (from.turns[0].Conjugated() * from.turns[1]).Conjugated() * (to.turns[0].Conjugated() * to.turns[1]);
    return (after - before).Length() + 2 * turn.GetXYZ().Length() * radius; // the chord of a rotation by an angle is 2 sin(angle / 2)
}

} // namespace

PrxBody body_of(const SolidShape& shape, JPH::Vec3Arg centre_of_mass, JPH::QuatArg turn, float scale) {
    PrxBody body = proxel::body(shape.solid().mesh, shape.solid().field);
    const JPH::Vec3 origin = centre_of_mass - turn * (scale * shape.solid().centre);
    for (JPH::uint i = 0; i < 3; ++i) body.position[i] = double(origin[i]);
    turn.GetXYZW().StoreFloat4(reinterpret_cast<JPH::Float4*>(body.rotation));
    body.scale = scale;
    body.rest_offset = shape.thickness();
    return body;
}

Touch::Touch(const PrxContact& contact, const Placing& placing, const SolidShape& first, const SolidShape& second, std::uint32_t of)
    : number(of) {
    const JPH::Vec3 across(contact.normal[0], contact.normal[1], contact.normal[2]);
    const JPH::Vec3 a = vector(contact.world_a) + first.thickness() * across, b = vector(contact.world_b) - second.thickness() * across;
    on[0] = placing.turns[0].Conjugated() * a;
    on[1] = placing.turns[1].Conjugated() * (b - placing.second);
    normal = placing.turns[1].Conjugated() * across;
}

JPH::CollideShapeResult Touch::result(const Placing& placing, const JPH::SubShapeIDCreator& path1, const JPH::SubShapeIDCreator& path2) const {
    const JPH::Vec3 across = placing.turns[1] * normal, a = placing.turns[0] * on[0], b = placing.second + placing.turns[1] * on[1];
    return {a, b, across, (a - b).Dot(across), SolidShape::contact_id(path1, number).GetID(), SolidShape::contact_id(path2, number).GetID(), {}};
}

bool Pair::needs(const SolidShape& first, const SolidShape& second, const Placing& placing, const Asking& asking, float closing) {
    if (shapes_[0] != &first || shapes_[1] != &second) { // at first, and where a body was given another shape
        known_ = -1;
        contacts_.clear();
        touches_.clear();
        shapes_[0] = &first;
        shapes_[1] = &second;
    }
    needed_ = asking.reach + closing;
    const float moved = motion(known_at_, placing, second.solid().radius);
    // A distance changes by no more than bodies move: until then contacts are carried along, and no other can have come.
    if (moved + needed_ <= known_ && (touches_.empty() || moved <= asking.slack)) return false;
    known_at_ = placing;
    known_ = needed_ + asking.slack;
    return true;
}

proxel::Result<void> Pair::record(proxel::Batch& batch, const Asking& asking) {
    PrxContactsDef def = asking.def;
    def.distance = known_;
    const PrxBody a = body_of(*shapes_[0], JPH::Vec3::sZero(), known_at_.turns[0], 1), b = body_of(*shapes_[1], known_at_.second, known_at_.turns[1], 1);
    auto ticket = batch.contacts(a, b, def, contacts_);
    if (!ticket) return proxel::Failure{ticket.status(), ticket.message()};
    ticket_ = ticket.value();
    return {};
}

proxel::Result<void> Pair::read(const proxel::Batch& batch) {
    auto found = batch.read(ticket_);
    if (!found) return proxel::Failure{found.status(), found.message()};
    contacts_ = std::move(found.value().contacts);
    touches_.clear();
    for (PrxContact& contact : contacts_) {
        if (contact.user == 0) contact.user = ++last_number_; // one that goes on has the number that it was given here
        touches_.emplace_back(contact, known_at_, *shapes_[0], *shapes_[1], std::uint32_t(contact.user));
    }
    return {};
}

} // namespace jolt
