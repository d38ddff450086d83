// A PNG that the tool writes holds the picture, as libpng and zlib unpack it.
#include "tests/check.hpp"

#include "picture/animation.hpp"
#include "picture/png.hpp"

#include <png.h>
#include <zlib.h>

#include <cstdlib>
#include <random>

using namespace cli;

namespace {

std::uint32_t u32(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = (value << 8) | static_cast<unsigned char>(bytes.at(at + i));
    return value;
}

std::vector<std::uint8_t> decode_png(const std::string& png, std::uint32_t width, std::uint32_t height) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_memory(&header, png.data(), png.size()) != 0);
    CHECK(header.width == width);
    CHECK(header.height == height);
    header.format = PNG_FORMAT_RGB;
    std::vector<std::uint8_t> out(PNG_IMAGE_SIZE(header));
    CHECK(png_image_finish_read(&header, nullptr, out.data(), 0, nullptr) != 0);
    return out;
}

std::vector<std::uint8_t> unpacked(const std::string& data, std::size_t size) {
    std::vector<std::uint8_t> out(size);
    uLongf got = size;
    CHECK(uncompress(out.data(), &got, reinterpret_cast<const Bytef*>(data.data()), data.size()) == Z_OK);
    CHECK(got == size);
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
        const std::string summed = kind + data;
        CHECK(crc32_z(0, reinterpret_cast<const Bytef*>(summed.data()), summed.size()) == u32(png, at + 8 + data.size()));
        if (kind == "acTL") announced = u32(data, 0);
        if (kind == "PLTE") colours = data;
        if (kind == "fcTL" || kind == "fdAT") CHECK(u32(data, 0) == next++);
        if (kind == "fdAT") data = data.substr(4);
        if (kind != "IDAT" && kind != "fdAT") continue;
        const std::vector<std::uint8_t> rows = unpacked(data, (width + 1) * height);
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

TEST_CASE("animations come back") {
    // Few colours come back exactly.
    std::vector<Image> frames;
    for (int i = 0; i < 4; ++i) {
        frames.emplace_back(31, 17, palette::paper);
        for (int y = 3; y < 9; ++y) {
            for (int x = 2 + 3 * i; x < 9 + 3 * i; ++x) frames.back().set(x, y, i % 2 == 0 ? palette::red : palette::blue);
        }
    }
    const std::string film = encode_animation(frames, 25);
    CHECK(decode_png(film, 31, 17) == frames[0].rgb()); // for those who cannot play it
    const auto exact = decode_animation(film, 31, 17);
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

TEST_CASE("pictures come back") {
    std::mt19937 random(1);
    Image image(37, 23, palette::paper);
    for (int y = 0; y < 23; ++y) {
        for (int x = 0; x < 37; ++x)
            image.set(x, y,
                      {static_cast<float>(x) / 37.0f, static_cast<float>(y) / 23.0f,
                       static_cast<float>(random() % 100) / 100.0f});
    }
    CHECK(decode_png(encode_png(image), 37, 23) == image.rgb());
}
