// A PNG that the tool writes holds the picture: unpacked here step by step as the standards say, from the other side.
#include "tests/check.hpp"

#include "picture/animation.hpp"
#include "picture/deflate.hpp"
#include "picture/png.hpp"

#include <cstdlib>
#include <random>
#include <stdexcept>

using namespace cli;

namespace {

// RFC 1951, for blocks with the fixed codes.
class Inflate {
public:
    explicit Inflate(const std::string& zlib) : bytes_(zlib), bit_(16) {}

    std::vector<std::uint8_t> unpack() {
        bool last = false;
        while (!last) {
            last = bits(1) == 1;
            if (bits(2) != 1) throw std::runtime_error("not a block with fixed codes");
            block();
        }
        return out_;
    }

    std::uint32_t stored_check() const {
        std::uint32_t value = 0;
        for (std::size_t i = bytes_.size() - 4; i < bytes_.size(); ++i)
            value = (value << 8) | static_cast<unsigned char>(bytes_[i]);
        return value;
    }

private:
    std::uint32_t bits(int count) {
        std::uint32_t value = 0;
        for (int i = 0; i < count; ++i, ++bit_)
            value |= ((static_cast<unsigned char>(bytes_.at(bit_ / 8)) >> (bit_ % 8)) & 1u) << i;
        return value;
    }

    std::uint32_t code(int count) {
        std::uint32_t value = 0;
        for (int i = 0; i < count; ++i) value = (value << 1) | bits(1);
        return value;
    }

    std::uint32_t symbol() {
        std::uint32_t c = code(7);
        if (c <= 0x17) return 256 + c;
        c = (c << 1) | code(1);
        if (c >= 0x30 && c <= 0xbf) return c - 0x30;
        if (c >= 0xc0 && c <= 0xc7) return 280 + c - 0xc0;
        return 144 + ((c << 1) | code(1)) - 0x190;
    }

    void block() {
        static const std::uint32_t lengths[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                                31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
        static const int length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                          2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
        static const std::uint32_t distances[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                                  33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                                  1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
        static const int distance_bits[] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                            6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
        for (std::uint32_t s = symbol(); s != 256; s = symbol()) {
            if (s < 256) {
                out_.push_back(static_cast<std::uint8_t>(s));
                continue;
            }
            const std::size_t length = lengths[s - 257] + bits(length_bits[s - 257]);
            const std::uint32_t d = code(5);
            const std::size_t distance = distances[d] + bits(distance_bits[d]);
            for (std::size_t i = 0; i < length; ++i) out_.push_back(out_.at(out_.size() - distance));
        }
    }

    const std::string& bytes_;
    std::size_t bit_;
    std::vector<std::uint8_t> out_;
};

std::vector<std::uint8_t> round_trip(const std::vector<std::uint8_t>& bytes) {
    const std::string packed = zlib_compress(bytes);
    CHECK(((static_cast<unsigned char>(packed[0]) << 8) | static_cast<unsigned char>(packed[1])) % 31 ==
          0); // RFC 1950, FCHECK
    Inflate inflate(packed);
    const std::vector<std::uint8_t> out = inflate.unpack();
    CHECK(inflate.stored_check() == adler32(bytes));
    return out;
}

std::uint32_t u32(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = (value << 8) | static_cast<unsigned char>(bytes.at(at + i));
    return value;
}

int paeth(int a, int b, int c) {
    const int p = a + b - c;
    if (std::abs(p - a) <= std::abs(p - b) && std::abs(p - a) <= std::abs(p - c)) return a;
    return std::abs(p - b) <= std::abs(p - c) ? b : c;
}

std::vector<std::uint8_t> decode_png(const std::string& png, std::size_t width, std::size_t height) {
    CHECK(png.substr(0, 8) == "\x89PNG\r\n\x1a\n");
    std::string packed;
    for (std::size_t at = 8; at < png.size();) {
        const std::size_t length = u32(png, at);
        const std::string kind_and_data = png.substr(at + 4, length + 4);
        CHECK(crc32(kind_and_data) == u32(png, at + 8 + length));
        if (kind_and_data.substr(0, 4) == "IHDR") CHECK(u32(png, at + 8) == width && u32(png, at + 12) == height);
        if (kind_and_data.substr(0, 4) == "IDAT") packed += kind_and_data.substr(4);
        at += length + 12;
    }
    const std::vector<std::uint8_t> rows = Inflate(packed).unpack();
    const std::size_t stride = 3 * width;
    CHECK(rows.size() == (stride + 1) * height);
    std::vector<std::uint8_t> out(stride * height);
    for (std::size_t y = 0; y < height; ++y) {
        const int filter = rows[y * (stride + 1)];
        for (std::size_t i = 0; i < stride; ++i) {
            const int a = i >= 3 ? out[y * stride + i - 3] : 0;
            const int b = y > 0 ? out[(y - 1) * stride + i] : 0;
            const int c = y > 0 && i >= 3 ? out[(y - 1) * stride + i - 3] : 0;
            const int guesses[] = {0, a, b, (a + b) / 2, paeth(a, b, c)};
            out[y * stride + i] = static_cast<std::uint8_t>(rows[y * (stride + 1) + 1 + i] + guesses[filter]);
        }
    }
    return out;
}

// The frames of an animated PNG, drawn over each other as a browser does it.
std::vector<std::vector<std::uint8_t>> decode_animation(const std::string& png, std::size_t width, std::size_t height) {
    std::string colours;
    std::vector<std::uint8_t> canvas(3 * width * height);
    std::vector<std::vector<std::uint8_t>> frames;
    std::uint32_t announced = 0, next = 0;
    for (std::size_t at = 8; at < png.size(); at += u32(png, at) + 12) {
        const std::string kind = png.substr(at + 4, 4);
        std::string data = png.substr(at + 8, u32(png, at));
        CHECK(crc32(kind + data) == u32(png, at + 8 + data.size()));
        if (kind == "acTL") announced = u32(data, 0);
        if (kind == "PLTE") colours = data;
        if (kind == "fcTL" || kind == "fdAT") CHECK(u32(data, 0) == next++);
        if (kind == "fdAT") data = data.substr(4);
        if (kind != "IDAT" && kind != "fdAT") continue;
        const std::vector<std::uint8_t> rows = Inflate(data).unpack();
        CHECK(rows.size() == (width + 1) * height);
        for (std::size_t i = 0; i < width * height; ++i) {
            const std::size_t index = rows[i / width * (width + 1) + 1 + i % width];
            if (index == 0) continue; // see-through
            for (std::size_t c = 0; c < 3; ++c) canvas[3 * i + c] = static_cast<std::uint8_t>(colours.at(3 * index + c));
        }
        frames.push_back(canvas);
    }
    CHECK(frames.size() == announced);
    return frames;
}

void animations_come_back() {
    // Few colours come back exactly.
    std::vector<Image> frames;
    for (int i = 0; i < 4; ++i) {
        frames.emplace_back(31, 17, palette::paper);
        for (int y = 3; y < 9; ++y) {
            for (int x = 2 + 3 * i; x < 9 + 3 * i; ++x) frames.back().set(x, y, i % 2 == 0 ? palette::red : palette::blue);
        }
    }
    const auto exact = decode_animation(encode_animation(frames, 25), 31, 17);
    for (std::size_t i = 0; i < frames.size(); ++i) CHECK(exact.at(i) == frames[i].rgb());

    // Many are rounded, but not far: 255 boxes of a ramp that fills a plane of 32 x 32 cells are no wider than 8 cells of 8.
    frames.assign(2, Image(128, 128, palette::paper));
    for (int y = 0; y < 128; ++y) {
        for (int x = 0; x < 128; ++x)
            frames[1].set(x, y, {linear_from_srgb(static_cast<float>(x) / 127.0f), linear_from_srgb(static_cast<float>(y) / 127.0f), 0.0f});
    }
    const auto rounded = decode_animation(encode_animation(frames, 25), 128, 128);
    int worst = 0;
    for (std::size_t i = 0; i < rounded.at(1).size(); ++i) worst = std::max(worst, std::abs(rounded[1][i] - frames[1].rgb()[i]));
    CHECK(worst <= 32);
}

} // namespace

int main() {
    // The check values that the catalogues give for these two sums.
    CHECK(crc32("123456789") == 0xcbf43926u);
    const std::string wikipedia = "Wikipedia";
    CHECK(adler32({wikipedia.begin(), wikipedia.end()}) == 0x11e60398u);

    std::mt19937 random(1);
    CHECK(round_trip({}).empty());
    for (const std::size_t size : {1u, 2u, 3u, 258u, 259u, 1000u, 40000u, 100000u}) {
        std::vector<std::uint8_t> flat(size, 7), noise(size), text(size);
        for (std::uint8_t& b : noise) b = static_cast<std::uint8_t>(random());
        for (std::uint8_t& b : text) b = static_cast<std::uint8_t>('a' + random() % 3);
        for (const auto& bytes : {flat, noise, text}) CHECK(round_trip(bytes) == bytes);
    }
    // A repeat from the far end of the window.
    std::vector<std::uint8_t> far(70000);
    for (std::size_t i = 0; i < 32768; ++i) far[i] = static_cast<std::uint8_t>(random());
    for (std::size_t i = 32768; i < far.size(); ++i) far[i] = far[i - 32768];
    CHECK(round_trip(far) == far);
    CHECK(zlib_compress(far).size() < 40000);

    Image image(37, 23, palette::paper);
    for (int y = 0; y < 23; ++y) {
        for (int x = 0; x < 37; ++x)
            image.set(x, y,
                      {static_cast<float>(x) / 37.0f, static_cast<float>(y) / 23.0f,
                       static_cast<float>(random() % 100) / 100.0f});
    }
    CHECK(decode_png(encode_png(image), 37, 23) == image.rgb());
    animations_come_back();
    return failures;
}
