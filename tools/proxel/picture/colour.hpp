// Colours as light (linear), as screens want them (sRGB), and as eyes compare them (OKLab, Ottosson 2020).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cli {

struct Colour { // linear light
    float r = 0.0f;
    float g = 0.0f;
    float b = 0.0f;
};

inline Colour operator+(Colour a, Colour b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }
inline Colour operator*(Colour a, Colour b) { return {a.r * b.r, a.g * b.g, a.b * b.b}; }
inline Colour operator*(Colour a, float s) { return {a.r * s, a.g * s, a.b * s}; }
inline Colour mix(Colour a, Colour b, float t) { return a * (1.0f - t) + b * t; }

inline float linear_from_srgb(float s) { return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f); }

inline float srgb_from_linear(float l) {
    l = std::clamp(l, 0.0f, 1.0f);
    return l <= 0.0031308f ? 12.92f * l : 1.055f * std::pow(l, 1.0f / 2.4f) - 0.055f;
}

// 0xRRGGBB, as style sheets write it.
inline Colour hex(std::uint32_t rgb) {
    const auto channel = [&](int shift) {
        return linear_from_srgb(static_cast<float>((rgb >> shift) & 0xffu) / 255.0f);
    };
    return {channel(16), channel(8), channel(0)};
}

struct OkLab {
    float lightness = 0.0f;
    float a = 0.0f;
    float b = 0.0f;
};

inline Colour from_oklab(OkLab c) {
    const float l = c.lightness + 0.3963377774f * c.a + 0.2158037573f * c.b;
    const float m = c.lightness - 0.1055613458f * c.a - 0.0638541728f * c.b;
    const float s = c.lightness - 0.0894841775f * c.a - 1.2914855480f * c.b;
    const float l3 = l * l * l;
    const float m3 = m * m * m;
    const float s3 = s * s * s;
    return {4.0767416621f * l3 - 3.3077115913f * m3 + 0.2309699292f * s3,
            -1.2684380046f * l3 + 2.6097574011f * m3 - 0.3413193965f * s3,
            -0.0041960863f * l3 - 0.7034186147f * m3 + 1.7076147010f * s3};
}

// What the pictures are made of.
namespace palette {
inline const Colour paper = hex(0xffffff);
inline const Colour ink = hex(0x1f2933);
inline const Colour faint_ink = hex(0x7b8794);
inline const Colour blue = hex(0x4a90d9);
inline const Colour amber = hex(0xf2a33a);
inline const Colour red = hex(0xe0393e);
inline const Colour green = hex(0x3fa66b);
inline const Colour violet = hex(0x8e6bbf);
inline const Colour clay = hex(0xbcc4cc);
} // namespace palette

} // namespace cli
