#include "commands/solid.hpp"

#include <filesystem>

namespace cli {
namespace {

constexpr long long usual_cells = 128;

bool is_field(const std::string& path) {
    const std::string ending = std::filesystem::path(path).extension().string();
    return ending == ".prxf" || ending == ".nrrd";
}

} // namespace

const Option field_resolution{"--field-resolution", "N", "cells along the longest side when A is a mesh (default 128)"};

Solid::Solid(const Session& session, const Arguments& arguments, std::string file, const Pose& place)
    : path(std::move(file)), pose(place), where(prx_pose(place)), baked(session) {
    const long long cells = arguments.whole(field_resolution, usual_cells, 1);
    if (cells > 65535) throw WrongUsage("--field-resolution takes at most 65535, not " + std::to_string(cells) + ".");
    if (is_field(path)) {
        baked.load(path);
        return;
    }
    mesh = read_mesh(path);
    PrxFieldDef def = prx_field_def_default();
    def.resolution = static_cast<std::uint32_t>(cells);
    def.storage = PRX_STORAGE_DIRECTION;
    const Interrupt interrupt;
    Progress progress("baking");
    baked.bake(session.upload(*mesh, path), def, progress, interrupt);
}

std::string Solid::name() const { return std::filesystem::path(path).filename().string(); }

} // namespace cli
