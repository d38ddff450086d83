// The library as a command uses it: one context, meshes in it, and every refusal a Failure with the library's sentence.
#pragma once

#include "mesh/mesh.hpp"
#include "terminal/arguments.hpp"

#include <proxel.h>

namespace cli {

class Session {
public:
    // Opens the device that `--device` names, or the best.
    explicit Session(const Arguments& arguments);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    PrxContext* context() const { return context_; }

    // Throws a Failure unless the status is PRX_STATUS_OK.
    void check(PrxStatus status) const;

    // Hands a mesh over; `path` names it in messages. It lives as long as the session.
    PrxMesh upload(const Mesh& mesh, const std::string& path, std::uint32_t flags = 0) const;

private:
    PrxContext* context_ = nullptr;
};

PrxPose prx_pose(const Pose& pose);

} // namespace cli
