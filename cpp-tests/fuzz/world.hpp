// What all threads share: engines with devices of their own, files, the pool of objects, and the findings.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "../engine.hpp"
#include "pool.hpp"

namespace fuzz {

class Call;

/// An engine, its queue's lock, its buffers and its semaphores.
class Host {
public:
    test::Engine engine;

    static constexpr std::uint64_t buffer_bytes = 1 << 16;

    explicit Host(bool optional) : engine({true, optional}) {
        Random random(optional ? 1 : 2);
        for (int i = 0; i < 4; ++i) {
            buffers_.push_back(std::make_unique<test::EngineBuffer>(engine, buffer_bytes));
            std::vector<float> numbers(buffer_bytes / sizeof(float));
            for (float& number : numbers) {
                number = static_cast<float>(random.within(-1, 1));
                // Nobody checks what an engine's buffer holds. The last one has it all.
                if (i == 3 && random.chance(0.01)) random.edge(number);
            }
            buffers_.back()->write(0, numbers.data(), buffer_bytes);
        }
    }
    ~Host() { forget_semaphores(); }

    std::uint64_t buffer(Random& random) const { return bits(buffers_[random.below(buffers_.size())]->buffer); }

    /// A timeline that stands at `value`. Each is signalled once.
    std::uint64_t timeline(std::uint64_t value) {
        std::lock_guard<std::mutex> lock(mutex_);
        semaphores_.push_back(engine.timeline(value));
        return bits(semaphores_.back());
    }
    /// Once no context lives on the device.
    void forget_semaphores() {
        std::lock_guard<std::mutex> lock(mutex_);
        for (VkSemaphore semaphore : semaphores_) engine.destroy(semaphore);
        semaphores_.clear();
    }

    /// What the engine hands over, with a lock because several contexts share its queue.
    PrxVulkanDevice handover() {
        PrxVulkanDevice handed = engine.handover();
        handed.lock_queue = [](void* self) { static_cast<Host*>(self)->queue_.lock(); };
        handed.unlock_queue = [](void* self) { static_cast<Host*>(self)->queue_.unlock(); };
        handed.queue_user = this;
        return handed;
    }

private:
    template <typename T>
    static std::uint64_t bits(T handle) {
        return bits_of(handle);
    }

    std::mutex mutex_, queue_;
    std::vector<std::unique_ptr<test::EngineBuffer>> buffers_;
    std::vector<VkSemaphore> semaphores_;
};

class World {
public:
    static constexpr std::uint32_t most_vertices = 600;

    Pool pool;
    std::string device = test::wanted_device();
    std::uint64_t seed = 0;
    /// Print every call.
    bool trace = false;

    /// On the host device there are no engines with Vulkan.
    World() {
        if (device != "host") {
            hosts_.push_back(std::make_unique<Host>(true));
            hosts_.push_back(std::make_unique<Host>(false));
        }
        const std::string name = "proxel-fuzz-" + std::to_string(std::random_device{}());
        folder_ = std::filesystem::temp_directory_path() / name;
        std::filesystem::create_directory(folder_);
    }
    World(const World&) = delete;
    ~World() { std::filesystem::remove_all(folder_); }

    Host& host(int number) { return *hosts_[static_cast<std::size_t>(number)]; }
    int host_count() const { return static_cast<int>(hosts_.size()); }

    /// A file of this run's, or something that is none.
    std::string path(Random& random) const {
        const std::string names[] = {"a.prxf", "b.prxf", "c.nrrd", "d.nrrd", "e"};
        if (random.chance(0.85)) return (folder_ / random.of(names)).string();
        const std::string others[] = {"",          folder_.string(), (folder_ / "none" / "x").string(), "/dev/null",
                                      "/dev/full", (folder_ / "\xff\xfe.prxf").string(), std::string(5000, 'x')};
        return random.of(others);
    }

    /// Bytes that some call gave, or none.
    std::vector<std::uint8_t> blob(Random& random) {
        std::lock_guard<std::mutex> lock(mutex_);
        if (blobs_.empty()) return {};
        return blobs_[random.below(blobs_.size())];
    }
    void keep_blob(const std::uint8_t* data, std::uint64_t bytes) {
        std::lock_guard<std::mutex> lock(mutex_);
        if (blobs_.size() >= 8) blobs_.erase(blobs_.begin());
        blobs_.emplace_back(data, data + bytes);
    }

    /// Prints a call and how long the run has taken until its end.
    void tell(const Call& call);
    /// Reports something that must not be, once for each function and kind.
    void find(const Call& call, const std::string& what);
    std::size_t findings() const { return found_.size(); }

    /// Nothing that was made lives any more.
    void clear() {
        for (auto& host : hosts_) host->forget_semaphores();
        std::lock_guard<std::mutex> lock(mutex_);
        blobs_.clear();
    }

private:
    std::vector<std::unique_ptr<Host>> hosts_;
    std::filesystem::path folder_;
    std::mutex mutex_;
    std::vector<std::vector<std::uint8_t>> blobs_;
    std::set<std::string> found_;
};

}  // namespace fuzz
