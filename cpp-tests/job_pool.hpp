// Engines that run the items of a context on threads of their own, each in another way.
#pragma once

#include <proxel.hpp>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace test {

/// One item as an engine keeps it.
struct Item {
    PrxJobFn job;
    void* data;
    std::uint32_t index;
    void run() const { job(data, index); }
};

/// A pool of threads with one queue.
class JobPool {
public:
    explicit JobPool(int threads) {
        for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
    }
    /// Runs what is left.
    ~JobPool() {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            ends_ = true;
        }
        changed_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

    /// A def whose items this pool runs some time, while the caller goes on.
    PrxContextDef& serve(PrxContextDef& def) {
        def.run_jobs = [](void* self, PrxJobFn job, void* data, std::uint32_t count) {
            static_cast<JobPool*>(self)->add(job, data, count);
        };
        def.jobs_user = this;
        return def;
    }
    /// The same, with a caller that takes part and waits for all.
    PrxContextDef& serve_and_wait(PrxContextDef& def) {
        def.run_jobs = [](void* self, PrxJobFn job, void* data, std::uint32_t count) {
            static_cast<JobPool*>(self)->share(job, data, count);
        };
        def.jobs_user = this;
        return def;
    }

    std::size_t items_run() {
        std::lock_guard<std::mutex> lock(mutex_);
        return run_;
    }

private:
    void add(PrxJobFn job, void* data, std::uint32_t count) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            for (std::uint32_t i = 0; i < count; ++i) items_.push_back({job, data, i});
        }
        changed_.notify_all();
    }

    void share(PrxJobFn job, void* data, std::uint32_t count) {
        add(job, data, count);
        std::unique_lock<std::mutex> lock(mutex_);
        auto mine = [&](const Item& item) { return item.data == data; };
        for (;;) {
            std::size_t at = 0;
            while (at < items_.size() && !mine(items_[at])) ++at;
            if (at == items_.size()) break;
            const Item item = items_[at];
            items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(at));
            run(item, lock);
        }
        changed_.wait(lock, [&] {
            for (void* busy : busy_)
                if (busy == data) return false;
            return true;
        });
    }

    void run(const Item& item, std::unique_lock<std::mutex>& lock) {
        busy_.push_back(item.data);
        ++run_;
        lock.unlock();
        item.run();
        lock.lock();
        for (std::size_t i = 0; i < busy_.size(); ++i)
            if (busy_[i] == item.data) {
                busy_.erase(busy_.begin() + static_cast<std::ptrdiff_t>(i));
                break;
            }
        changed_.notify_all();
    }

    void work() {
        std::unique_lock<std::mutex> lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return ends_ || !items_.empty(); });
            if (items_.empty()) return;
            const Item item = items_.front();
            items_.pop_front();
            run(item, lock);
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Item> items_;
    std::vector<void*> busy_;
    std::size_t run_ = 0;
    bool ends_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace test
