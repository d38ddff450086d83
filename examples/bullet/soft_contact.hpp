// Soft bodies against solids, and all that Dispatcher answers.
#pragma once

#include "dispatcher.hpp"

namespace bullet {

class SoftDispatcher : public Dispatcher {
public:
    using Dispatcher::Dispatcher;
    btCollisionAlgorithm* findAlgorithm(const btCollisionObjectWrapper* first, const btCollisionObjectWrapper* second,
                                        btPersistentManifold* manifold, ebtDispatcherQueryType query) override;
};

} // namespace bullet
