// The library as a command uses it: one context, and every refusal a Failure with the library's error message.
#pragma once

#include "mesh/mesh.hpp"
#include "pose.hpp"

#include <proxel.h>

#include <string>

namespace cli {

class Session {
public:
    // Opens the device of this name, or the best for "auto".
    explicit Session(const std::string& device);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    PrxContext* context() const { return context_; }

    // Throws a Failure unless the status is PRX_STATUS_OK.
    void check(PrxStatus status) const;

    // Hands a mesh over, its doubles if it has them and `in_doubles` says so; `path` names it in messages. It lives as long as the session.
    PrxMesh upload(const Mesh& mesh, const std::string& path, std::uint32_t flags = 0, bool in_doubles = false) const;

private:
    PrxContext* context_ = nullptr;
};

// Sets position and rotation, and leaves the velocities as they are.
void set_pose(PrxPose& out, const Pose& pose);

} // namespace cli
