#include "picture/animation.hpp"

#include "mesh/file_bytes.hpp"
#include "picture/png_chunks.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cli {
namespace {

constexpr int kept_bits = 5; // of each channel, when colours are told apart
constexpr std::size_t cells = std::size_t{1} << (3 * kept_bits);
constexpr std::size_t most_colours = 255; // place 0 of the palette is for pixels that stay as they were

std::size_t cell_of(const std::uint8_t* rgb) {
    std::size_t cell = 0;
    for (int c = 0; c < 3; ++c) cell = (cell << kept_bits) | static_cast<std::size_t>(rgb[c] >> (8 - kept_bits));
    return cell;
}

int channel(std::size_t cell, int c) { return static_cast<int>(cell >> (kept_bits * (2 - c))) & ((1 << kept_bits) - 1); }

// The colours of all frames, divided by median cut (Heckbert 1982): the box that spans most is halved by its pixels, until
// there are as many boxes as colours.
class Palette {
public:
    explicit Palette(const std::vector<Image>& frames) : count_(cells), sums_(cells), index_(cells) {
        for (const Image& frame : frames) {
            for (std::size_t i = 0; i < frame.rgb().size(); i += 3) {
                const std::size_t cell = cell_of(&frame.rgb()[i]);
                ++count_[cell];
                for (std::size_t c = 0; c < 3; ++c) sums_[cell][c] += frame.rgb()[i + c];
            }
        }
        std::vector<Box> boxes(1);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            if (count_[cell] > 0) boxes[0].push_back(cell);
        }
        while (boxes.size() < most_colours && halve_widest(boxes)) {}
        for (const Box& box : boxes) enter(box);
    }

    std::uint8_t index(const std::uint8_t* rgb) const { return index_[cell_of(rgb)]; }
    const std::string& bytes() const { return bytes_; }

private:
    using Box = std::vector<std::size_t>; // of cells

    static std::pair<int, int> widest_side(const Box& box) { // its width, its channel
        std::pair<int, int> widest{0, 0};
        for (int c = 0; c < 3; ++c) {
            const auto [low, high] = std::minmax_element(
                box.begin(), box.end(), [&](std::size_t a, std::size_t b) { return channel(a, c) < channel(b, c); });
            widest = std::max(widest, {channel(*high, c) - channel(*low, c), c});
        }
        return widest;
    }

    bool halve_widest(std::vector<Box>& boxes) const {
        const auto widest = std::max_element(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) {
            return widest_side(a).first < widest_side(b).first;
        });
        const auto [width, side] = widest_side(*widest);
        if (width == 0) return false;
        const auto below = [c = side](std::size_t a, std::size_t b) { return channel(a, c) < channel(b, c); };
        std::stable_sort(widest->begin(), widest->end(), below);
        std::size_t total = 0, half = 0, at = 0;
        for (const std::size_t cell : *widest) total += count_[cell];
        while (at + 1 < widest->size() && 2 * half < total) half += count_[(*widest)[at++]];
        Box upper(widest->begin() + static_cast<std::ptrdiff_t>(at), widest->end());
        widest->resize(at);
        boxes.push_back(std::move(upper));
        return true;
    }

    void enter(const Box& box) {
        std::array<std::size_t, 3> sum{};
        std::size_t pixels = 0;
        const auto place = static_cast<std::uint8_t>(1 + bytes_.size() / 3);
        for (const std::size_t cell : box) {
            pixels += count_[cell];
            for (std::size_t c = 0; c < 3; ++c) sum[c] += sums_[cell][c];
            index_[cell] = place;
        }
        for (const std::size_t s : sum) bytes_ += static_cast<char>((s + pixels / 2) / pixels);
    }

    std::vector<std::size_t> count_;
    std::vector<std::array<std::size_t, 3>> sums_;
    std::vector<std::uint8_t> index_;
    std::string bytes_;
};

// What changed since the frame before, one byte a pixel behind a filter byte a row.
std::vector<std::uint8_t> changed_rows(const Image& frame, const Palette& palette, std::vector<std::uint8_t>& before) {
    std::vector<std::uint8_t> rows;
    std::size_t at = 0;
    for (int y = 0; y < frame.height(); ++y) {
        rows.push_back(0);
        for (int x = 0; x < frame.width(); ++x, ++at) {
            const std::uint8_t index = palette.index(frame.pixel(x, y));
            rows.push_back(index == before[at] ? 0 : index);
            before[at] = index;
        }
    }
    return rows;
}

std::string frame_control(std::uint32_t number, const Image& frame, int frames_per_second) {
    std::string out;
    append_u32(out, number);
    append_u32(out, static_cast<std::uint32_t>(frame.width()));
    append_u32(out, static_cast<std::uint32_t>(frame.height()));
    append_u32(out, 0);
    append_u32(out, 0);
    const auto rate = static_cast<unsigned>(frames_per_second);
    out += std::string("\x00\x01", 2) + static_cast<char>(rate >> 8 & 0xffu) + static_cast<char>(rate & 0xffu);
    return out + std::string("\x00\x01", 2); // what is there stays, and the frame is laid over it
}

} // namespace

std::string encode_animation(const std::vector<Image>& frames, int frames_per_second) {
    const Image& first = frames.front();
    const Palette palette(frames);
    std::string header, control;
    append_u32(header, static_cast<std::uint32_t>(first.width()));
    append_u32(header, static_cast<std::uint32_t>(first.height()));
    header += std::string("\x08\x03\x00\x00\x00", 5); // 8 bits, palette, deflate, adaptive filters, not interlaced
    append_u32(control, static_cast<std::uint32_t>(frames.size()));
    append_u32(control, 0); // for ever

    std::string out = png_signature;
    append_chunk(out, "IHDR", header);
    append_chunk(out, "acTL", control);
    append_chunk(out, "PLTE", std::string(3, '\0') + palette.bytes());
    append_chunk(out, "tRNS", std::string(1, '\0'));
    std::vector<std::uint8_t> before(static_cast<std::size_t>(first.width()) * static_cast<std::size_t>(first.height()), 0);
    std::uint32_t number = 0;
    for (const Image& frame : frames) {
        append_chunk(out, "fcTL", frame_control(number++, frame, frames_per_second));
        const std::string rows = packed(changed_rows(frame, palette, before));
        if (&frame == &first) {
            append_chunk(out, "IDAT", rows);
        } else {
            std::string data;
            append_u32(data, number++);
            append_chunk(out, "fdAT", data + rows);
        }
    }
    append_chunk(out, "IEND", "");
    return out;
}

void write_animation(const std::string& path, const std::vector<Image>& frames, int frames_per_second) {
    write_file_bytes(path, encode_animation(frames, frames_per_second));
}

} // namespace cli
