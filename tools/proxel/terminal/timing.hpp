// How long a query takes: the median of repeats, which one slow neighbour does not move.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace cli {

inline double median(std::vector<double> values) {
    if (values.empty()) return 0.0;
    const std::size_t middle = values.size() / 2;
    std::sort(values.begin(), values.end());
    return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

// Calls `query` as often as asked, at least once, and returns the median time of a call in milliseconds.
template <class Query> double median_milliseconds(long long repeats, Query query) {
    std::vector<double> times;
    for (long long i = 0; i < std::max(repeats, 1ll); ++i) {
        const auto start = std::chrono::steady_clock::now();
        query();
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    return median(std::move(times));
}

} // namespace cli
