// The engine comes and goes: nothing is left behind, and whoever goes first takes nobody along.
#include "space.hpp"
#include "witness.hpp"

#include <malloc.h>

#include <optional>

namespace {

std::size_t in_use() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

} // namespace

TEST_CASE("a hundred lives leave nothing") {
    test::Witness witness;
    std::size_t before = 0;
    for (int life = 0; life < 110; ++life) {
        {
            const proxel::Context context = NEED(proxel::Context::open(witness.def()));
            test::Space space;
            jolt::NarrowPhase narrow_phase(context, space.system);
            const auto cube = test::solid(context, cli::box(12), 16);
            JPH::RefConst<JPH::Shape> shape = new jolt::SolidShape(cube, narrow_phase), other = new jolt::SolidShape(cube, narrow_phase);
            space.add(shape, JPH::RVec3(0, 0, 0), JPH::EMotionType::Static);
            space.add(other, JPH::RVec3(0, JPH::Real(1.99), 0));
            space.step();
            CHECK_EQ(narrow_phase.pairs_asked(), 1);
            CHECK_EQ(narrow_phase.trouble(), "");
            space.step();
        }
        if (life == 9) before = in_use(); // by then the driver has what it keeps
    }
    const auto grown = static_cast<std::ptrdiff_t>(in_use() - before);
    std::printf("a hundred lives left %td bytes\n", grown);
    CHECK(grown < 100 * 200); // 200 bytes a life would be one forgotten object
}

TEST_CASE("whoever goes first takes nobody along") {
    test::Witness witness;
    test::Space space;
    for (const int first_to_go : {0, 1, 2}) {
        proxel::Context context = NEED(proxel::Context::open(witness.def(PRX_SEVERITY_ERROR)));
        auto narrow_phase = std::make_unique<jolt::NarrowPhase>(context, space.system);
        const auto cube = test::solid(context, cli::box(12), 16);
        JPH::RefConst<JPH::Shape> shape = new jolt::SolidShape(cube, *narrow_phase), other = new jolt::SolidShape(cube, *narrow_phase);
        const JPH::BodyID ground = space.add(shape, JPH::RVec3(0, 0, 0), JPH::EMotionType::Static), box = space.add(other, JPH::RVec3(0, JPH::Real(1.99), 0));
        for (int i = 0; i < 3; ++i) space.step();
        CHECK_EQ(narrow_phase->trouble(), "");
        if (first_to_go == 0) context = proxel::Context(); // the device
        if (first_to_go == 1) narrow_phase.reset();        // the narrow phase: Jolt asks by itself
        if (first_to_go == 2) space.system.GetBodyInterface().DeactivateBody(box);
        space.system.GetBodyInterface().SetLinearVelocity(box, {0, 1, 0}); // contacts must be asked for anew
        for (int i = 0; i < 3; ++i) space.step();
        CHECK_EQ(narrow_phase != nullptr && !narrow_phase->trouble().empty(), first_to_go == 0);
        if (first_to_go == 0) std::printf("without its context: %s\n", narrow_phase->trouble().c_str());
        CHECK(std::isfinite(double(space.system.GetBodyInterface().GetPosition(box).GetY())));
        for (const JPH::BodyID id : {ground, box}) {
            space.system.GetBodyInterface().RemoveBody(id);
            space.system.GetBodyInterface().DestroyBody(id);
        }
    }
}

TEST_CASE("the physics system goes first, with contacts") {
    test::Witness witness;
    const proxel::Context context = NEED(proxel::Context::open(witness.def()));
    auto space = std::make_unique<test::Space>();
    jolt::Library library; // shapes need Jolt's allocator
    jolt::NarrowPhase narrow_phase(context, space->system);
    const auto cube = test::solid(context, cli::box(12), 16);
    JPH::RefConst<JPH::Shape> shape = new jolt::SolidShape(cube, narrow_phase), other = new jolt::SolidShape(cube, narrow_phase);
    space->add(shape, JPH::RVec3(0, 0, 0), JPH::EMotionType::Static);
    space->add(other, JPH::RVec3(0, JPH::Real(1.99), 0));
    for (int i = 0; i < 3; ++i) space->step();
    narrow_phase.forget_system();
    space.reset();
    CHECK_EQ(shape->GetRefCount(), 1);
}
