// Memory for arguments: each piece ends where a page begins that nobody may touch, and has a pattern before it.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace fuzz {

class Arena {
public:
    struct Piece {
        std::uint8_t* data;
        std::size_t bytes;
    };

    Arena() = default;
    Arena(const Arena&) = delete;
    ~Arena() {
        for (const Mapping& mapping : mappings_) munmap(mapping.base, mapping.bytes + page());
    }

    /// `bytes` bytes that hold `fill`; a read or a write behind them is a fault.
    Piece take(std::size_t bytes, std::uint8_t fill) {
        Mapping& mapping = room(bytes + guard);
        std::uint8_t* data = mapping.base + mapping.bytes - bytes;
        std::memset(data - guard, pattern, guard);
        std::memset(data, fill, bytes);
        pieces_.push_back({data, bytes});
        return pieces_.back();
    }

    /// Whether nothing was written in front of any piece.
    bool intact() const {
        for (const Piece& piece : pieces_)
            for (const std::uint8_t* at = piece.data - guard; at < piece.data; ++at)
                if (*at != pattern) return false;
        return true;
    }

    void clear() {
        pieces_.clear();
        used_ = 0;
    }

private:
    struct Mapping {
        std::uint8_t* base;
        std::size_t bytes;
    };

    static constexpr std::size_t guard = 64;
    static constexpr std::uint8_t pattern = 0xa5;
    static std::size_t page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

    /// The next mapping of enough bytes; those before it are in use.
    Mapping& room(std::size_t bytes) {
        for (std::size_t at = used_; at < mappings_.size(); ++at) {
            if (mappings_[at].bytes < bytes) continue;
            std::swap(mappings_[used_], mappings_[at]);
            return mappings_[used_++];
        }
        std::size_t size = page();
        while (size < bytes) size *= 2;
        void* base = mmap(nullptr, size + page(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (base == MAP_FAILED || mprotect(static_cast<char*>(base) + size, page(), PROT_NONE) != 0) std::abort();
        mappings_.push_back({static_cast<std::uint8_t*>(base), size});
        std::swap(mappings_[used_], mappings_.back());
        return mappings_[used_++];
    }

    std::vector<Mapping> mappings_;
    std::size_t used_ = 0;
    std::vector<Piece> pieces_;
};

}  // namespace fuzz
