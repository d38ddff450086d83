// Opens contexts on the device under test and listens to what they say: a message that no test asked for is a failure,
// and validation messages are such messages.
#pragma once

#include <proxel.hpp>

#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "test.hpp"

namespace test {

/// The name, or part of it, of the device that this run is about; empty for any.
inline std::string wanted_device() {
    const char* name = std::getenv("PROXEL_TEST_DEVICE");
    return name != nullptr ? name : "";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Hears the log of contexts. Every warning must be taken by the test before the witness goes.
class Witness {
public:
    Witness() = default;
    Witness(const Witness&) = delete;
    ~Witness() {
        for (const std::string& message : take()) ADD_FAIL_CHECK_AT(__FILE__, __LINE__, "nobody expected: ", message);
    }

    /// A def whose log is this witness, for the device under test.
    PrxContextDef def(PrxSeverity severity = PRX_SEVERITY_WARNING) {
        PrxContextDef def = prx_context_def_default();
        def.device_name = device_.c_str();
        // A missing driver fails the test: the host does not take its place.
        if (device_ != "host") def.device = PRX_DEVICE_VULKAN;
        // Tests are about the device; what the host does beside one is tested where it is asked for.
        def.host_queries = PRX_CHOICE_OFF;
        def.log = [](void* self, std::uint32_t level, const char* message) {
            static_cast<Witness*>(self)->hear(level, message);
        };
        def.log_user = this;
        def.log_severity = severity;
        return def;
    }

    /// Takes what was said so far at `least` severity; the rest is forgotten.
    std::vector<std::string> take(std::uint32_t least = PRX_SEVERITY_WARNING) {
        std::lock_guard<std::mutex> lock(mutex_);
        std::vector<std::string> taken;
        for (auto& [severity, message] : messages_)
            if (severity >= least) taken.push_back(std::move(message));
        messages_.clear();
        return taken;
    }

private:
    void hear(std::uint32_t severity, const char* message) {
        std::lock_guard<std::mutex> lock(mutex_);
        messages_.emplace_back(severity, message);
    }

    std::string device_ = wanted_device();
    std::mutex mutex_;
    std::vector<std::pair<std::uint32_t, std::string>> messages_;
};

/// The value of a result that must be there; a test cannot go on without it.
template <typename T>
T need(proxel::Result<T> result, const char* file, int line, const char* text) {
    require(result.ok(), file, line,
            std::string(text) + ": " + prx_status_name(result.status()) + ": " + result.message());
    if constexpr (!std::is_void_v<T>) return std::move(result.value());
}

/// Whether a call failed with `status` and a sentence that has `part` in it.
template <typename T>
bool refused(const proxel::Result<T>& result, PrxStatus status, const std::string& part, const char* file, int line,
             const char* text) {
    return record(result.status() == status && contains(result.message(), part), file, line,
                  std::string(text) + " should give " + prx_status_name(status) + " and say \"" + part + "\", but: " +
                      prx_status_name(result.status()) + ": " + result.message());
}

/// A pose that only moves.
inline PrxPose at(float x, float y, float z) {
    PrxPose pose = prx_pose_identity();
    pose.position[0] = x;
    pose.position[1] = y;
    pose.position[2] = z;
    return pose;
}

/// The field of a mesh, when it is there.
inline proxel::Field baked(const proxel::Context& context, const proxel::Mesh& mesh, const PrxFieldDef& def) {
    proxel::Field field = need(context.bake(mesh, def), __FILE__, __LINE__, "bake");
    need(field.wait(), __FILE__, __LINE__, "wait for a field");
    return field;
}

inline proxel::Field baked(const proxel::Context& context, const proxel::Mesh& mesh, std::uint32_t resolution) {
    PrxFieldDef def = prx_field_def_default();
    def.resolution = resolution;
    return baked(context, mesh, def);
}

}  // namespace test

#define NEED(result) ::test::need((result), __FILE__, __LINE__, #result)
#define CHECK_REFUSED(result, status, part) ::test::refused((result), (status), (part), __FILE__, __LINE__, #result)
