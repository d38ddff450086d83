// Proxel's work on Jolt's threads.
#pragma once

#include <proxel.hpp>

#include <Jolt/Jolt.h>
#include <Jolt/Core/Color.h>
#include <Jolt/Core/JobSystem.h>

namespace jolt {

// A context opened with `def` runs on `jobs`, and starts no thread.
inline void run_on(JPH::JobSystem& jobs, PrxContextDef& def) {
    def.run_jobs = [](void* user, PrxJobFn job, void* data, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i)
            static_cast<JPH::JobSystem*>(user)->CreateJob("Proxel", JPH::Color::sOrange, [=] { job(data, i); });
    };
    def.jobs_user = &jobs;
    def.worker_threads = std::uint32_t(jobs.GetMaxConcurrency());
}

} // namespace jolt
