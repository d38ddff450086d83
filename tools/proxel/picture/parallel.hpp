// Spreads independent pieces of work over the machine's cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace cli {

// Calls `work(i)` for each i below `count`, several at a time. The first exception ends the work and is passed on.
template <class Work> void for_each_in_parallel(std::size_t count, Work work) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr first_error;
    std::mutex error_lock;
    const auto take_turns = [&] {
        try {
            for (std::size_t i = next++; i < count; i = next++) work(i);
        } catch (...) {
            const std::lock_guard<std::mutex> guard(error_lock);
            if (!first_error) first_error = std::current_exception();
            next = count;
        }
    };
    std::vector<std::thread> others;
    try {
        while (others.size() + 1 < std::min<std::size_t>(count, std::thread::hardware_concurrency()))
            others.emplace_back(take_turns);
    } catch (const std::system_error&) {
        // No more threads to be had: those that are there do the work.
    }
    take_turns();
    for (std::thread& other : others) other.join();
    if (first_error) std::rethrow_exception(first_error);
}

} // namespace cli
