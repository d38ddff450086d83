// The contacts of two bodies from step to step, asked for only when the bodies have moved.
#ifndef PROXEL_PAIR_CONTACTS_HPP
#define PROXEL_PAIR_CONTACTS_HPP

#include <proxel/batch.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace proxel {
inline namespace PROXEL_MODE {
namespace detail {

using Vector = std::array<double, 3>;

inline Vector vector(const float (&v)[3]) { return {v[0], v[1], v[2]}; }
inline Vector minus(const Vector& v, const Vector& w) { return {v[0] - w[0], v[1] - w[1], v[2] - w[2]}; }
inline double dot(const Vector& v, const Vector& w) { return v[0] * w[0] + v[1] * w[1] + v[2] * w[2]; }
inline Vector cross(const Vector& v, const Vector& w) {
    return {v[1] * w[2] - v[2] * w[1], v[2] * w[0] - v[0] * w[2], v[0] * w[1] - v[1] * w[0]};
}
// From the body's axes to the world's, or with `way` -1 back.
inline Vector turned(const PrxBody& by, const Vector& v, double way = 1) {
    const Vector axis{way * by.rotation[0], way * by.rotation[1], way * by.rotation[2]};
    const Vector once = cross(axis, v), twice = cross(axis, once);
    Vector out = v;
    for (std::size_t i = 0; i < 3; ++i) out[i] += 2 * (by.rotation[3] * once[i] + twice[i]);
    return out;
}
inline Vector placed(const PrxBody& body, const Vector& v) {
    Vector out = turned(body, v);
    for (std::size_t i = 0; i < 3; ++i) out[i] += body.position[i];
    return out;
}
inline Vector seen_from(const PrxBody& body, const Vector& world) {
    return turned(body, minus(world, {body.position[0], body.position[1], body.position[2]}), -1);
}
// How far a point of `b` within `radius` of its origin can have moved between two moments, seen from `a`: its origin's way, and the chord
// of the turn. Each axis of `b` moves by the chord times the sine of its angle to the turn's axis, whose squares add up to two.
inline double motion(const PrxBody& a, const PrxBody& b, const PrxBody& new_a, const PrxBody& new_b, double radius) {
    const Vector way = minus(seen_from(new_a, placed(new_b, {})), seen_from(a, placed(b, {})));
    double squares = 0;
    for (const Vector& axis : {Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}}) {
        const Vector moved = minus(turned(new_a, turned(new_b, axis), -1), turned(a, turned(b, axis), -1));
        squares += dot(moved, moved);
    }
    return std::sqrt(dot(way, way)) + std::sqrt(squares / 2) * radius;
}

}  // namespace detail

/// The contacts of two bodies from step to step, asked for only when it is needed. A signed distance changes by no more than bodies move, so
/// contacts that were asked for up to `distance + slack` last until the bodies have moved by the slack against each other; until then they are
/// carried along. In between, contacts that a turn makes can be late by so much motion: the deepest of contacts() is as deep as the deepest
/// point of the pair but for twice the slack. A pair at rest costs nothing.
class PairContacts {
public:
    /// Records the question in `batch` and returns true, or carries contacts() along with the bodies and returns false. Every point of body B is
    /// within `radius` of its position. Bodies that are known to be more than `apart` from each other need no answer until they can be near. What
    /// `def` asks for besides its distance must not change: else forget() first.
    Result<bool> ask(Batch& batch, const PrxBody& a, const PrxBody& b, PrxContactsDef def, double slack, double radius,
                     double apart = -std::numeric_limits<double>::infinity()) {
        if (!(slack >= 0 && radius >= 0))
            return Failure{PRX_STATUS_INVALID_ARGUMENT, "slack is " + std::to_string(slack) + " and radius " + std::to_string(radius) + ": at least 0"};
        if (!same(a, asked_[0]) || !same(b, asked_[1])) forget(), found_.clear(), contacts_.clear();
        const double moved = known_ < 0 ? 0 : detail::motion(asked_[0], asked_[1], a, b, radius);
        if (moved + def.distance <= known_ && (found_.empty() || moved <= slack)) {
            carry(a, b);
            return false;
        }
        asked_ = {a, b};
        known_ = def.distance + slack;
        if (apart > known_) {
            known_ = apart;
            found_.clear();
            contacts_.clear();
            return false;
        }
        def.distance = std::nextafter(static_cast<float>(known_), std::numeric_limits<float>::infinity());
        auto ticket = batch.contacts(a, b, def, contacts_);
        if (!ticket) {
            forget();
            return Failure{ticket.status(), ticket.message()};
        }
        ticket_ = ticket.value();
        return true;
    }
    /// Takes the answer, when ask() has returned true and the batch has been waited for.
    Result<void> read(const Batch& batch) {
        auto answer = batch.read(ticket_);
        if (!answer) {
            forget();
            return Failure{answer.status(), answer.message()};
        }
        contacts_ = found_ = std::move(answer.value().contacts);
        return {};
    }
    /// The next step asks.
    void forget() { known_ = -1; }

    /// The contacts as they are now: also those between `distance` and `distance + slack`, and those that bodies have moved away from. `previous`
    /// is a place in this list in the step before. Set `user` to what a contact is to keep.
    std::vector<PrxContact>& contacts() noexcept { return contacts_; }
    const std::vector<PrxContact>& contacts() const noexcept { return contacts_; }

private:
    static bool same(const PrxBody& a, const PrxBody& b) {
        return a.mesh.id == b.mesh.id && a.field.id == b.field.id && a.scale == b.scale && a.contact_offset == b.contact_offset &&
               a.rest_offset == b.rest_offset;
    }

    // The points and the normal stay with the bodies; the normal with the one in whose field the contact was found.
    void carry(const PrxBody& a, const PrxBody& b) {
        const double rest = double(a.rest_offset) + b.rest_offset;
        for (std::size_t i = 0; i < found_.size(); ++i) {
            const PrxContact& found = found_[i];
            PrxContact& contact = contacts_[i];
            const bool on_b = found.on != 0;
            const PrxBody &own = on_b ? b : a, &other = on_b ? a : b, &own_then = asked_[on_b ? 1 : 0], &other_then = asked_[on_b ? 0 : 1];
            const detail::Vector point = detail::vector(on_b ? found.point_b : found.point_a);
            const detail::Vector way = detail::minus(detail::seen_from(other, detail::placed(own, point)),
                                                     detail::seen_from(other_then, detail::placed(own_then, point)));
            const detail::Vector normal = detail::turned(other, detail::turned(other_then, detail::vector(found.normal), -1));
            const detail::Vector on_first = detail::placed(a, detail::vector(found.point_a)), on_second = detail::placed(b, detail::vector(found.point_b));
            for (std::size_t k = 0; k < 3; ++k) {
                contact.world_a[k] = on_first[k];
                contact.world_b[k] = on_second[k];
                contact.normal[k] = static_cast<float>(normal[k]);
            }
            const double moved = std::sqrt(detail::dot(way, way));
            constexpr float infinity = std::numeric_limits<float>::infinity();
            contact.separation = static_cast<float>(detail::dot(detail::minus(on_second, on_first), normal) - rest);
            contact.lower = std::nextafter(static_cast<float>(found.lower - moved), -infinity);
            contact.upper = std::nextafter(static_cast<float>(found.upper + moved), infinity);
            contact.previous = static_cast<std::int32_t>(i);
        }
    }

    std::array<PrxBody, 2> asked_{prx_body_default(), prx_body_default()}; // where the bodies were,
    double known_ = -1;                                                    // when separations up to this were asked for; -1 for never
    Ticket<Contacts> ticket_;
    std::vector<PrxContact> found_;    // then,
    std::vector<PrxContact> contacts_; // and now
};

}  // namespace PROXEL_MODE
}  // namespace proxel

#endif  // PROXEL_PAIR_CONTACTS_HPP
