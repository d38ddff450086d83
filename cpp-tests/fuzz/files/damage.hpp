// What happens to files: bytes lost, changed, repeated, and words put in that mean something to a reader.
#pragma once

#include <algorithm>
#include <string>

#include "../random.hpp"

namespace fuzz {

inline std::string damaged(std::string bytes, Random& random) {
    static const std::string words[] = {"-1", "4294967295", "99999999999999999999", "nan", "1e999", "1e-300", "1e300", "-0", "#", "\n", "\r", "/", "\\\n",
                                        std::string(1, '\0'), std::string(4, '\0'), "\xff\xff\xff\xff", "\x7f\xff\xff\xff", "\xff\xff\xff\x7f", std::string("\0\0\xc0\x7f", 4),
                                        "\"nodes\":[", "}]", "null", "[[[[", "vertex", "face", "list", "OFF", "f", "v", "end_header\n", "type: float\n", "sizes: 65536 65536 65536\n"};
    if (random.chance(0.15)) return bytes.substr(0, random.below(bytes.size() + 1));
    for (std::uint32_t n = random.between(1, 4); n > 0 && !bytes.empty(); --n) {
        // Half of the hits go to the head of the file, where counts and types are.
        const std::size_t at = random.below(random.chance(0.5) ? bytes.size() : std::min<std::size_t>(bytes.size(), 300));
        const std::string& word = random.of(words);
        switch (random.below(6)) {
            case 0: bytes[at] = static_cast<char>(random.bits()); break;
            case 1: bytes[at] = static_cast<char>(bytes[at] ^ 1 << random.below(8)); break;
            case 2: bytes.erase(at, random.between(1, 40)); break;
            case 3: bytes.insert(at, word); break;
            case 4: bytes.replace(at, word.size(), word); break;
            default: bytes.insert(at, bytes.substr(random.below(bytes.size()), random.between(1, 60)));
        }
    }
    return bytes;
}

}  // namespace fuzz
