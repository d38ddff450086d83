// Two solids near each other, from step to step: when to ask for their contacts, and what becomes of the contacts in between.
#pragma once

#include "solid_shape.hpp"

#include <Jolt/Physics/Collision/CollideShape.h>
#include <Jolt/Physics/Collision/Shape/SubShapeID.h>

#include <vector>

namespace jolt {

// Two bodies as Jolt shows them to its collision functions: their centres of mass, seen from the first one's.
struct Placing {
    JPH::Quat turns[2];
    JPH::Vec3 second; // the first is at the origin
    float scales[2] = {1, 1};
};

// What is asked of Proxel.
struct Asking {
    float reach = 0.02f;  // contacts are made this far from a surface, so that they are there before they are needed
    float slack = 0.005f; // and this much farther: until bodies have moved by it, none is missing
    PrxContactsDef def = prx_contacts_def_default(); // its points, patches and sampling
};

PrxBody body_of(const SolidShape& shape, JPH::Vec3Arg centre_of_mass, JPH::QuatArg turn, float scale);

// A contact, fixed to both bodies.
struct Touch {
    JPH::Vec3 on[2]; // from the centre of mass along the axes of the body
    JPH::Vec3 normal; // from the first body to the second, along the second one's axes
    std::uint32_t number; // the same as long as the contact goes on

    Touch(const PrxContact& contact, const Placing& placing, const SolidShape& first, const SolidShape& second, std::uint32_t number);
    JPH::CollideShapeResult result(const Placing& placing, const JPH::SubShapeIDCreator& path1, const JPH::SubShapeIDCreator& path2) const;
};

class Pair {
public:
    std::uint64_t step = 0; // when it was last near

    // Whether contacts must be asked for. `closing` is how far the bodies can come nearer in this step.
    bool needs(const SolidShape& first, const SolidShape& second, const Placing& placing, const Asking& asking, float closing);
    proxel::Result<void> record(proxel::Batch& batch, const Asking& asking);
    proxel::Result<void> read(const proxel::Batch& batch);
    void forget() { known_ = -1; } // the next step asks

    const std::vector<Touch>& touches() const { return touches_; }
    float needed() const { return needed_; } // contacts farther apart than this do nothing in this step

private:
    const SolidShape* shapes_[2] = {};
    float known_ = -1;  // separations up to this were asked for,
    Placing known_at_{}; // when the bodies were here
    float needed_ = 0;
    proxel::Ticket<proxel::Contacts> ticket_;
    std::vector<PrxContact> contacts_;
    std::vector<Touch> touches_;
    std::uint32_t last_number_ = 0;
};

} // namespace jolt
