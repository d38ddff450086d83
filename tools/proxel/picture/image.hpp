// A picture as it is stored: 8 bits each of sRGB red, green and blue, rows from the top.
#pragma once

#include "picture/colour.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cli {

struct Rectangle {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
};

class Image {
public:
    Image(int width, int height, Colour background) : width_(width), height_(height) {
        rgb_.resize(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) set(x, y, background);
        }
    }

    int width() const { return width_; }
    int height() const { return height_; }
    const std::vector<std::uint8_t>& rgb() const { return rgb_; }
    const std::uint8_t* pixel(int x, int y) const { return rgb_.data() + offset(x, y); }

    // Outside the picture nothing happens.
    void set(int x, int y, Colour colour) {
        if (!contains(x, y)) return;
        std::uint8_t* at = rgb_.data() + offset(x, y);
        at[0] = stored(colour.r);
        at[1] = stored(colour.g);
        at[2] = stored(colour.b);
    }

    // Lays `colour` over what is there.
    void blend(int x, int y, Colour colour, float coverage) {
        if (!contains(x, y) || coverage <= 0.0f) return;
        const std::uint8_t* at = pixel(x, y);
        const Colour below{loaded(at[0]), loaded(at[1]), loaded(at[2])};
        set(x, y, mix(below, colour, std::min(coverage, 1.0f)));
    }

private:
    bool contains(int x, int y) const { return x >= 0 && y >= 0 && x < width_ && y < height_; }
    std::size_t offset(int x, int y) const {
        return 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x));
    }
    static std::uint8_t stored(float linear) {
        return static_cast<std::uint8_t>(srgb_from_linear(linear) * 255.0f + 0.5f);
    }
    static float loaded(std::uint8_t value) { return linear_from_srgb(static_cast<float>(value) / 255.0f); }

    int width_;
    int height_;
    std::vector<std::uint8_t> rgb_;
};

} // namespace cli
