// A body with a distance field, somewhere in the world: a field's file, or a closed mesh that is baked on the way.
#pragma once

#include "commands/baked.hpp"
#include "terminal/command.hpp"

#include <optional>

namespace cli {

extern const Option field_resolution;

struct Solid {
    std::string path;
    std::optional<Mesh> mesh; // to draw; a field has none
    Pose pose;
    PrxPose where{};
    Baked baked;

    Solid(const Session& session, const Arguments& arguments, std::string file, const Pose& place);

    PrxField field() const { return baked.field(); }
    std::string name() const;
};

} // namespace cli
