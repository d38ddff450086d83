#include "contact.hpp"

#include <LinearMath/btPoolAllocator.h>

#include <algorithm>

namespace bullet {
namespace {

template <typename Kind> class CreateFunction : public btCollisionAlgorithmCreateFunc {
public:
    explicit CreateFunction(Dispatcher& dispatcher) : dispatcher_(dispatcher) {}

    btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper*,
                                                   const btCollisionObjectWrapper*) override {
        void* memory = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(Kind));
        return new (memory) Kind(dispatcher_, info);
    }

private:
    Dispatcher& dispatcher_;
};

} // namespace

Dispatcher::Dispatcher(btCollisionConfiguration* configuration, const proxel::Context& context)
    : btCollisionDispatcher(configuration), narrow_phase_(context) {
    create_functions_.push_back(std::make_unique<CreateFunction<RigidContact>>(*this));
    create_functions_.push_back(std::make_unique<CreateFunction<SoftContact>>(*this));
    const auto both_ways = [&](int other, btCollisionAlgorithmCreateFunc* function) {
        registerCollisionCreateFunc(SolidShape::type, other, function);
        registerCollisionCreateFunc(other, SolidShape::type, function);
    };
    both_ways(SolidShape::type, create_functions_[0].get());
    both_ways(STATIC_PLANE_PROXYTYPE, create_functions_[0].get());
    both_ways(SOFTBODY_SHAPE_PROXYTYPE, create_functions_[1].get());
}

Dispatcher::~Dispatcher() = default;

void Dispatcher::dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info, btDispatcher* dispatcher) {
    asked_.clear();
    btCollisionDispatcher::dispatchAllCollisionPairs(pairs, info, dispatcher);
    narrow_phase_.answer();
    for (Contact* contact : asked_) contact->finish();
}

void* Dispatcher::allocateCollisionAlgorithm(int size) {
    if (size > m_collisionAlgorithmPoolAllocator->getElementSize()) return btAlignedAlloc(static_cast<std::size_t>(size), 16);
    return btCollisionDispatcher::allocateCollisionAlgorithm(size);
}

void Dispatcher::await(Contact& contact) {
    if (asked_.empty() || asked_.back() != &contact) asked_.push_back(&contact);
}

void Dispatcher::ask(Contact& contact, const NarrowPhase::Question& question) {
    await(contact);
    narrow_phase_.ask(question);
}

} // namespace bullet
