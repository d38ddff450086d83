// Numbers that follow from a seed, with a taste for the edges of their types.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace fuzz {

/// splitmix64: small, and every seed is a good one.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }
    /// From 0 to `count` - 1.
    std::uint32_t below(std::uint64_t count) { return static_cast<std::uint32_t>(bits() % count); }
    std::uint32_t between(std::uint32_t low, std::uint32_t high) { return low + below(high - low + 1); }
    bool chance(double probability) { return unit() < probability; }
    /// From 0 to 1.
    double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    double within(double low, double high) { return low + (high - low) * unit(); }

    template <typename T, std::size_t N>
    const T& of(const T (&values)[N]) {
        return values[below(N)];
    }

    /// A number of an enum, now and then one that it does not have.
    std::uint32_t choice(std::size_t variants) {
        if (!chance(0.1)) return below(variants);
        const std::uint32_t wrong[] = {static_cast<std::uint32_t>(variants), 255, 0x80000000, UINT32_MAX};
        return of(wrong);
    }

    void edge(float& value) { value = edge_of<float>(); }
    void edge(double& value) { value = chance(0.3) ? static_cast<double>(edge_of<float>()) : edge_of<double>(); }
    void edge(std::uint8_t& value) { value = static_cast<std::uint8_t>(bits()); }
    void edge(std::uint32_t& value) {
        // Sizes between these are legal and only slow.
        const std::uint32_t edges[] = {0,  1,  2,   3,          4,          7,          8,              15,
                                       16, 17, 33,  63,         64,         65,         0x7fffffff,     0x80000000,
                                       5,  6,  100, 0x40000000, 0xc0000000, 0x20000001, UINT32_MAX - 1, UINT32_MAX};
        value = of(edges);
    }
    void edge(std::int32_t& value) {
        std::uint32_t bits = 0;
        edge(bits);
        value = static_cast<std::int32_t>(bits);
    }
    void edge(std::uint64_t& value) {
        const std::uint64_t edges[] = {0,          1,          2,          3,          8,           64,         1000,
                                       1000000,    0x7fffffff, 0x80000000, UINT32_MAX, 0x100000000, 1ull << 62, 1ull << 63,
                                       UINT64_MAX, UINT64_MAX - 1};
        value = of(edges);
    }

private:
    template <typename T>
    T edge_of() {
        using Limits = std::numeric_limits<T>;
        const T edges[] = {0,
                           T(-0.0),
                           1,
                           -1,
                           T(0.5),
                           2,
                           T(1e-6),
                           T(1e-20),
                           T(1e15),
                           T(-1e15),
                           T(1e19),
                           T(3e38),
                           Limits::denorm_min(),
                           -Limits::denorm_min(),
                           Limits::min(),
                           Limits::epsilon(),
                           Limits::max(),
                           Limits::lowest(),
                           Limits::infinity(),
                           -Limits::infinity(),
                           Limits::quiet_NaN(),
                           T(within(-1, 1)),
                           T(std::pow(10.0, within(-30, 30)))};
        return of(edges);
    }

    std::uint64_t state_;
};

}  // namespace fuzz
