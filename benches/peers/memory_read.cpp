// Reference for bounds: reads the bytes of a vertex buffer once, with AVX2 loads on a standing team of threads.
// Nothing is computed but a sum of the loaded words, which keeps the compiler from dropping the loads.
#include <immintrin.h>
#include <sched.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>

#include "contestant.hpp"

namespace {

uint64_t read_range(const char* begin, size_t bytes) {
    __m256i sum[4] = {};
    const __m256i* words = reinterpret_cast<const __m256i*>(begin);
    for (size_t i = 0; i + 4 <= bytes / 32; i += 4)
        for (size_t lane = 0; lane < 4; ++lane) sum[lane] = _mm256_add_epi64(sum[lane], _mm256_load_si256(words + i + lane));
    alignas(32) uint64_t parts[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(parts), _mm256_add_epi64(_mm256_add_epi64(sum[0], sum[1]), _mm256_add_epi64(sum[2], sum[3])));
    return parts[0] + parts[1] + parts[2] + parts[3];
}

// Threads that spin for the next read: waking them from sleep would cost more than the read of a small buffer.
class Team {
public:
    Team(const char* data, size_t bytes, long threads) : data_(data), share_(bytes / threads / 128 * 128), sums_(threads) {
        sched_getaffinity(0, sizeof allowed_, &allowed_);
        if (CPU_COUNT(&allowed_) < threads) throw std::runtime_error("there are fewer cores than threads");
        for (long i = 1; i < threads; ++i) workers_.emplace_back([this, i] { serve(i); });
        pin(0);
    }
    ~Team() {
        stop_ = true;
        ++go_;
        for (auto& worker : workers_) worker.join();
    }
    uint64_t read() {
        left_ = workers_.size();
        ++go_;
        sums_[0] = read_range(data_, share_);
        for (long spins = 0; left_.load() != 0; ++spins) wait(spins);
        uint64_t total = 0;
        for (uint64_t sum : sums_) total += sum;
        return total;
    }

private:
    // On a busy machine the one waited for may need this very core.
    static void wait(long spins) { spins < 200 ? _mm_pause() : std::this_thread::yield(); }

    // A core each: two on one core would take turns, and the slower reference would flatter everyone else.
    void pin(long core) const {
        cpu_set_t one;
        CPU_ZERO(&one);
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &allowed_) && core-- == 0) CPU_SET(cpu, &one);
        sched_setaffinity(0, sizeof one, &one);
    }

    void serve(long index) {
        pin(index);
        for (uint64_t seen = 0;;) {
            uint64_t now;
            for (long spins = 0; (now = go_.load()) == seen; ++spins) wait(spins);
            seen = now;
            if (stop_) return;
            sums_[index] = read_range(data_ + index * share_, share_);
            --left_;
        }
    }

    cpu_set_t allowed_;
    const char* data_;
    size_t share_;
    std::vector<uint64_t> sums_;
    std::atomic<uint64_t> go_{0};
    std::atomic<size_t> left_{0};
    std::atomic<bool> stop_{false};
    std::vector<std::thread> workers_;
};

}  // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        size_t bytes = arguments.number("vertices") * 12;
        auto* data = static_cast<char*>(std::aligned_alloc(128, (bytes + 127) / 128 * 128));
        for (size_t i = 0; i < bytes; ++i) data[i] = static_cast<char>(i * 7);
        Team team(data, bytes, arguments.number("threads"));
        volatile uint64_t sink = 0;
        contest::compete("AVX2 loads, standing threads", [&](const contest::Turn&) {
            return contest::shortest_of(25, [&] { sink = sink + team.read(); });
        });
    });
}
