// Field files by grammar: .prxf as docs/field-format.md has it, and NRRD, with what the library must know of them after reading.
#pragma once

#include <zlib.h>

#include <cstring>
#include <string>
#include <vector>

#include "../random.hpp"

namespace fuzz {

struct FieldFile {
    bool nrrd;
    std::string bytes;
    float origin[3];
    float cell_size;
    std::uint32_t nodes[3];
    /// Of NRRD: the samples, as they must be in the field.
    std::string samples;
};

class FieldWriter {
public:
    static constexpr std::size_t header_bytes = 92;

    explicit FieldWriter(Random& random) : random_(random) {}

    FieldFile write() {
        FieldFile file{};
        file.nrrd = random_.chance(0.4);
        for (float& x : file.origin) x = static_cast<float>(static_cast<int>(random_.below(64)) - 32) / 8;
        file.cell_size = static_cast<float>(random_.between(1, 16)) / 8;
        for (std::uint32_t& n : file.nodes) n = random_.between(2, 6);
        if (file.nrrd) nrrd(file);
        else prxf(file);
        return file;
    }

    /// Both checksums of a .prxf, so that damage is found by what it does and not by them.
    static void sign(std::string& bytes) {
        if (bytes.size() < header_bytes) return;
        std::memcpy(&bytes[76], std::array<std::uint64_t, 1>{bytes.size() - header_bytes}.data(), 8);
        write_sum(bytes, 84, header_bytes, bytes.size());
        write_sum(bytes, 88, 0, 88);
    }

private:
    static void write_sum(std::string& bytes, std::size_t at, std::size_t from, std::size_t to) {
        const auto sum = static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + from), static_cast<uInt>(to - from)));
        std::memcpy(&bytes[at], &sum, 4);
    }
    template <typename T>
    static void put(std::string& out, T value) {
        char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        out.append(bytes, sizeof(T));
    }

    /// A multiple of 1/8 below 8, which 16 bits hold.
    float sample() { return static_cast<float>(static_cast<int>(random_.below(127)) - 63) / 8; }

    /// As IEEE 754 half precision, for the numbers that `sample` makes.
    static std::uint16_t half(float value) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, 4);
        if ((bits & 0x7fffffff) == 0) return static_cast<std::uint16_t>(bits >> 16);
        return static_cast<std::uint16_t>((bits >> 16 & 0x8000) | (((bits >> 23 & 0xff) - 112) << 10) | (bits >> 13 & 0x3ff));
    }
    void samples(std::string& out, std::uint64_t count, bool halves) {
        for (; count > 0; --count) {
            if (halves) put(out, half(sample()));
            else put(out, sample());
        }
    }

    void prxf(FieldFile& file) {
        const std::uint32_t storage = random_.below(3), precision = random_.below(2);
        std::uint32_t side = 0, bricks = 0;
        std::string payload;
        auto product = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return std::uint64_t{x} * y * z; };
        std::uint64_t errors = 1;
        if (storage == 2) {
            side = random_.between(1, 8);
            std::uint32_t count[3];
            for (int i = 0; i < 3; ++i) {
                count[i] = random_.between(1, 3);
                file.nodes[i] = count[i] * side + 1;
            }
            errors = product(count[0], count[1], count[2]);
            samples(payload, product(count[0] + 1, count[1] + 1, count[2] + 1), precision == 1);
            for (std::uint64_t i = 0; i < errors; ++i) put(payload, random_.chance(0.6) ? ++bricks : std::uint32_t{0});
            samples(payload, bricks * product(side + 1, side + 1, side + 1), precision == 1);
        } else {
            const std::uint64_t nodes = product(file.nodes[0], file.nodes[1], file.nodes[2]);
            samples(payload, nodes, precision == 1);
            for (std::uint64_t i = 0; storage == 1 && i < nodes; ++i) {
                const std::uint32_t axis = random_.below(4);
                for (std::uint32_t k = 0; k < 3; ++k) {
                    const float x = k == axis ? (random_.chance(0.5) ? 1.0f : -1.0f) : 0.0f;
                    if (precision == 1) put(payload, half(x));
                    else put(payload, x);
                }
            }
        }
        float worst = 0;
        for (std::uint64_t i = 0; i < 2 * errors; ++i) {
            const float error = static_cast<float>(random_.below(64)) / 64;
            worst = std::max(worst, error);
            put(payload, error);
        }
        std::string& out = file.bytes = "PRXFIELD";
        for (std::uint32_t word : {2u, storage, precision, random_.between(1, 3)}) put(out, word);
        for (float x : file.origin) put(out, x);
        put(out, file.cell_size);
        for (std::uint32_t n : file.nodes) put(out, n);
        put(out, side);
        put(out, bricks);
        put(out, worst);
        put(out, random_.below(3));
        put(out, 1.5f);
        put(out, random_.chance(0.5) ? std::numeric_limits<float>::infinity() : 8.0f);
        out.resize(header_bytes);
        out += payload;
        sign(out);
    }

    void nrrd(FieldFile& file) {
        auto number = [&](float x) {
            char text[40];
            std::snprintf(text, sizeof text, random_.chance(0.5) ? "%.9g" : "%.12e", static_cast<double>(x));
            return std::string(text);
        };
        const std::string cell = number(file.cell_size);
        std::vector<std::string> lines = {"type: float",
                                          "dimension: 3",
                                          "encoding: raw",
                                          "endian: little",
                                          "sizes: " + std::to_string(file.nodes[0]) + " " + std::to_string(file.nodes[1]) + " " + std::to_string(file.nodes[2]),
                                          "space directions: (" + cell + ",0,0) (0," + cell + ",0) (0,0," + cell + ")",
                                          "space origin: (" + number(file.origin[0]) + "," + number(file.origin[1]) + "," + number(file.origin[2]) + ")"};
        if (random_.chance(0.5)) lines.push_back("space: left-posterior-superior");
        if (random_.chance(0.3)) lines.push_back("# type: double");
        if (random_.chance(0.3)) lines.push_back("content: something else");
        for (std::size_t i = lines.size() - 1; i > 0; --i) std::swap(lines[i], lines[random_.below(i + 1)]);
        file.bytes = "NRRD000" + std::to_string(random_.between(1, 5)) + "\n";
        for (const std::string& line : lines) file.bytes += line + "\n";
        samples(file.samples, std::uint64_t{file.nodes[0]} * file.nodes[1] * file.nodes[2], false);
        file.bytes += "\n" + file.samples;
    }

    Random& random_;
};

}  // namespace fuzz
