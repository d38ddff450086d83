// Reference for bounds: reads the bytes of a vertex buffer once, with AVX2 loads on a standing team of threads.
// Nothing is computed but a sum of the loaded words, which keeps the compiler from dropping the loads.
#include <immintrin.h>

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
        for (long i = 1; i < threads; ++i) workers_.emplace_back([this, i] { serve(i); });
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
        while (left_.load() != 0) _mm_pause();
        uint64_t total = 0;
        for (uint64_t sum : sums_) total += sum;
        return total;
    }

private:
    void serve(long index) {
        for (uint64_t seen = 0;;) {
            uint64_t now;
            while ((now = go_.load()) == seen) _mm_pause();
            seen = now;
            if (stop_) return;
            sums_[index] = read_range(data_ + index * share_, share_);
            --left_;
        }
    }

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
            return contest::median_of(25, [&] { sink = sink + team.read(); });
        });
    });
}
