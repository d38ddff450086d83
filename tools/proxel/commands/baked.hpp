// A field that is baked while a bar shows how far it is, and that a Ctrl-C stops.
#pragma once

#include "failure.hpp"
#include "session.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/progress.hpp"

namespace cli {

// A field that goes when the next one comes.
class Baked {
public:
    explicit Baked(const Session& session) : session_(session) {}
    ~Baked() { drop(); }
    Baked(const Baked&) = delete;
    Baked& operator=(const Baked&) = delete;

    PrxField field() const { return field_; }

    // Takes a file of a field instead.
    void load(const std::string& path) {
        drop();
        session_.check(prx_field_load(session_.context(), path.c_str(), &field_));
    }

    // Bakes anew and waits; a Ctrl-C stops it.
    void bake(PrxMesh mesh, const PrxFieldDef& def, Progress& progress, const Interrupt& interrupt) {
        drop();
        session_.check(prx_field_bake(session_.context(), mesh, &def, &field_));
        constexpr std::uint64_t look = 20'000'000; // nanoseconds between looks at the progress
        PrxStatus status = prx_field_wait(session_.context(), field_, look);
        while (status == PRX_STATUS_TIMEOUT) {
            float fraction = 0.0f;
            std::uint32_t done = 0;
            session_.check(prx_field_progress(session_.context(), field_, &fraction, &done));
            progress.show(fraction);
            if (interrupt.came()) session_.check(prx_field_cancel(session_.context(), field_));
            status = prx_field_wait(session_.context(), field_, look);
        }
        if (status == PRX_STATUS_CANCELLED) throw Failure("stopped; nothing was written.");
        session_.check(status);
    }

private:
    void drop() {
        if (field_.id != 0) prx_field_destroy(session_.context(), field_);
        field_ = {};
    }

    const Session& session_;
    PrxField field_{};
};

} // namespace cli
