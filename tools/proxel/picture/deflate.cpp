#include "picture/deflate.hpp"

#include <algorithm>
#include <array>

namespace cli {
namespace {

constexpr std::size_t window = 32768;
constexpr std::size_t shortest = 3;
constexpr std::size_t longest = 258;
constexpr int patience = 48; // earlier places tried for each repeat

// Bits go into bytes from the low end; Huffman codes come with their first bit first (RFC 1951, 3.1.1).
class BitWriter {
public:
    explicit BitWriter(std::string& out) : out_(out) {}

    void bits(std::uint32_t value, int count) {
        pending_ |= value << filled_;
        for (filled_ += count; filled_ >= 8; filled_ -= 8, pending_ >>= 8) out_ += static_cast<char>(pending_ & 0xffu);
    }

    void code(std::uint32_t value, int count) {
        for (int i = count - 1; i >= 0; --i) bits((value >> i) & 1u, 1);
    }

    void finish() {
        if (filled_ > 0) bits(0, 8 - filled_);
    }

private:
    std::string& out_;
    std::uint32_t pending_ = 0;
    int filled_ = 0;
};

// The fixed code of RFC 1951, 3.2.6.
void put_symbol(BitWriter& out, std::uint32_t symbol) {
    if (symbol < 144) out.code(0x30 + symbol, 8);
    else if (symbol < 256) out.code(0x190 + symbol - 144, 9);
    else if (symbol < 280) out.code(symbol - 256, 7);
    else out.code(0xc0 + symbol - 280, 8);
}

// Lengths and distances share one pattern (RFC 1951, 3.2.5): groups of codes with one extra bit more each time.
// `plain` codes have none, then each group has `per_group`.
void put_graded(BitWriter& out, std::size_t value, std::size_t plain, std::size_t per_group, bool is_length) {
    std::size_t code = value;
    int extra = 0;
    std::size_t base = value;
    if (value >= plain) {
        while ((value >> extra) >= 2 * per_group) ++extra;
        code = static_cast<std::size_t>(extra) * per_group + (value >> extra);
        base = (value >> extra) << extra;
    }
    if (is_length) put_symbol(out, static_cast<std::uint32_t>(257 + code));
    else out.code(static_cast<std::uint32_t>(code), 5);
    out.bits(static_cast<std::uint32_t>(value - base), extra);
}

void put_repeat(BitWriter& out, std::size_t length, std::size_t distance) {
    if (length == longest) put_symbol(out, 285);
    else put_graded(out, length - shortest, 8, 4, true);
    put_graded(out, distance - 1, 4, 2, false);
}

// Remembers where each three bytes were seen, newest first.
class Repeats {
public:
    explicit Repeats(const std::vector<std::uint8_t>& bytes) : bytes_(bytes), earlier_(bytes.size(), none) {
        newest_.fill(none);
    }

    struct Match {
        std::size_t length = 0;
        std::size_t distance = 0;
    };

    Match longest_at(std::size_t at) const {
        Match best;
        if (at + shortest > bytes_.size()) return best;
        const std::size_t limit = std::min(longest, bytes_.size() - at);
        std::uint32_t candidate = newest_[hash(at)];
        for (int tries = 0; tries < patience && candidate != none && at - candidate <= window;
             ++tries, candidate = earlier_[candidate]) {
            std::size_t length = 0;
            while (length < limit && bytes_[candidate + length] == bytes_[at + length]) ++length;
            if (length > best.length) best = {length, at - candidate};
            if (length == limit) break;
        }
        return best;
    }

    void remember(std::size_t at) {
        if (at + shortest > bytes_.size()) return;
        earlier_[at] = newest_[hash(at)];
        newest_[hash(at)] = static_cast<std::uint32_t>(at);
    }

private:
    static constexpr std::uint32_t none = 0xffffffffu;

    std::size_t hash(std::size_t at) const {
        const std::uint32_t three =
            bytes_[at] | (std::uint32_t{bytes_[at + 1]} << 8) | (std::uint32_t{bytes_[at + 2]} << 16);
        return (three * 2654435761u) >> 17;
    }

    const std::vector<std::uint8_t>& bytes_;
    std::array<std::uint32_t, 32768> newest_{};
    std::vector<std::uint32_t> earlier_;
};

} // namespace

std::uint32_t adler32(const std::vector<std::uint8_t>& bytes) {
    std::uint32_t a = 1;
    std::uint32_t b = 0;
    for (const std::uint8_t byte : bytes) {
        a = (a + byte) % 65521u;
        b = (b + a) % 65521u;
    }
    return (b << 16) | a;
}

std::string zlib_compress(const std::vector<std::uint8_t>& bytes) {
    std::string out = "\x78\x9c";
    BitWriter writer(out);
    writer.bits(1, 1); // the last block
    writer.bits(1, 2); // fixed codes
    Repeats repeats(bytes);
    for (std::size_t at = 0; at < bytes.size();) {
        const Repeats::Match match = repeats.longest_at(at);
        const std::size_t step = match.length >= shortest ? match.length : 1;
        if (match.length >= shortest) put_repeat(writer, match.length, match.distance);
        else put_symbol(writer, bytes[at]);
        for (const std::size_t end = at + step; at < end; ++at) repeats.remember(at);
    }
    put_symbol(writer, 256);
    writer.finish();
    const std::uint32_t check = adler32(bytes);
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((check >> shift) & 0xffu);
    return out;
}

} // namespace cli
