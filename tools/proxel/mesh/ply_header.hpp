// What a PLY file says about itself before its data: Turk, "The PLY Polygon File Format", 1994.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

enum class PlyType { i8, u8, i16, u16, i32, u32, f32, f64 };

std::size_t byte_size(PlyType type);

struct PlyProperty {
    std::string_view name;
    PlyType type = PlyType::f32;
    bool is_list = false;
    PlyType count_type = PlyType::u8; // of a list
};

struct PlyElement {
    std::string_view name;
    std::uint64_t count = 0;
    std::vector<PlyProperty> properties;

    // The place of a property among the element's properties, or -1.
    int find(std::string_view property) const;

    // The fewest bytes that one row can take: a list may be empty, but its count is there.
    std::size_t least_bytes(bool binary) const;
};

struct PlyHeader {
    enum class Format { text, little_endian, big_endian };

    Format format = Format::text;
    std::vector<PlyElement> elements;
    std::size_t bytes = 0; // where the data begin
    std::size_t lines = 0;

    const PlyElement* find(std::string_view element) const;
};

PlyHeader parse_ply_header(std::string_view bytes, const std::string& name);

} // namespace cli
