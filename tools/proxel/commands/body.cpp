#include "commands/body.hpp"

#include "failure.hpp"

#include <filesystem>

namespace cli {

void Body::read() { mesh = read_mesh(path); }

void Body::hand_over(const Session& session) {
    set_pose(where, pose);
    id = session.upload(mesh, path, PRX_MESH_DEFORMING, in_doubles);
}

std::string Body::name() const { return std::filesystem::u8path(path).filename().u8string(); }

void Body::update(const Session& session) const {
    const auto count = static_cast<std::uint32_t>(mesh.positions.size());
    if (in_doubles && !mesh.doubles.empty()) {
        session.check(prx_mesh_update_f64(session.context(), id, 0, count, mesh.doubles.data(), sizeof(Place)));
    } else {
        session.check(prx_mesh_update(session.context(), id, 0, count, mesh.positions.data(), sizeof(Vec3)));
    }
}

void Baked::load(const Session& session, const std::string& path) {
    drop();
    session_ = &session;
    session.check(prx_field_load(session.context(), path.c_str(), &field_));
}

void Baked::bake(const Session& session, PrxMesh mesh, const PrxFieldDef& def, Progress& progress, const Interrupt& interrupt) {
    drop();
    session_ = &session;
    session.check(prx_field_bake(session.context(), mesh, &def, &field_));
    constexpr std::uint64_t look = 20'000'000; // nanoseconds between looks at the progress
    PrxStatus status = prx_field_wait(session.context(), field_, look);
    while (status == PRX_STATUS_TIMEOUT) {
        float fraction = 0.0f;
        std::uint32_t done = 0;
        session.check(prx_field_progress(session.context(), field_, &fraction, &done));
        progress.show(fraction);
        if (interrupt.came()) session.check(prx_field_cancel(session.context(), field_));
        status = prx_field_wait(session.context(), field_, look);
    }
    if (status == PRX_STATUS_CANCELLED) throw Failure("stopped; nothing was written.");
    session.check(status);
}

void Baked::drop() {
    if (field_.id != 0) prx_field_destroy(session_->context(), field_);
    field_ = {};
}

void Solid::read() {
    if (!is_field_file(path)) Body::read();
}

void Solid::hand_over(const Session& session) {
    set_pose(where, pose);
    if (is_field_file(path)) return baked.load(session, path);
    id = session.upload(mesh, path, PRX_MESH_DEFORMING);
    if (!bakes) return;
    PrxFieldDef def = prx_field_def_default();
    def.resolution = cells;
    def.storage = PRX_STORAGE_DIRECTION;
    const Interrupt interrupt;
    Progress progress("baking");
    baked.bake(session, id, def, progress, interrupt);
}

bool is_field_file(const std::string& path) {
    const std::string ending = std::filesystem::u8path(path).extension().u8string();
    return ending == ".prxf" || ending == ".nrrd";
}

} // namespace cli
