// How long to wait for what may never end, on a machine that may be busy with other things.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <thread>

namespace fuzz {

/// Waits by a clock that is as slow as this process: each turn sleeps and then takes a little of the processor's time, which takes
/// long where there is none left. On a quiet machine patience lasts five minutes.
class Patience {
public:
    void wait_a_turn() {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        for (const double begin = processor_seconds(); processor_seconds() - begin < 0.005;) {
        }
        ++turn_;
    }

    /// One thing that is watched, by a number that changes when it goes on.
    struct Watched {
        std::int64_t number = 0;
        int since = 0;
    };
    bool ends(Watched& watched, std::int64_t number) const {
        if (watched.number != number) watched = {number, turn_};
        return turn_ - watched.since > 1500;
    }

private:
    static double processor_seconds() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }

    int turn_ = 0;
};

}  // namespace fuzz
