#include "mesh/weld.hpp"

#include <cstring>

namespace cli {
namespace {

std::uint64_t bits(float f) {
    std::uint32_t b = 0;
    std::memcpy(&b, &f, sizeof b);
    return b;
}

std::uint64_t mix(std::uint64_t h) {
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    return h ^ (h >> 32);
}

std::uint64_t hash(Vec3 p) { return mix(mix(bits(p.x) | (bits(p.y) << 32)) + 0x9e3779b97f4a7c15u * (bits(p.z) + 1)); }

bool same(Vec3 a, Vec3 b) { return bits(a.x) == bits(b.x) && bits(a.y) == bits(b.y) && bits(a.z) == bits(b.z); }

} // namespace

std::uint32_t Weld::index_of(Vec3 p) {
    p = p + Vec3{}; // -0 + 0 is 0
    if (slots_.size() < 2 * (positions_.size() + 1)) grow();
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash(p) & mask;
    for (; slots_[at] != 0; at = (at + 1) & mask) {
        if (same(positions_[slots_[at] - 1], p)) return slots_[at] - 1;
    }
    positions_.push_back(p);
    slots_[at] = static_cast<std::uint32_t>(positions_.size());
    return slots_[at] - 1;
}

void Weld::grow() {
    slots_.assign(slots_.empty() ? 1024 : slots_.size() * 2, 0);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        std::size_t at = hash(positions_[i]) & mask;
        while (slots_[at] != 0) at = (at + 1) & mask;
        slots_[at] = static_cast<std::uint32_t>(i + 1);
    }
}

} // namespace cli
