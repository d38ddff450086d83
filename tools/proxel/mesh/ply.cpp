// The data of a PLY file, text or binary: vertices and faces are kept, everything else is passed over.
#include "failure.hpp"
#include "mesh/formats.hpp"
#include "mesh/mesh_builder.hpp"
#include "mesh/ply_header.hpp"
#include "mesh/text_scanner.hpp"

#include <algorithm>
#include <cstring>

namespace cli {
namespace {

// Where the values of a text file come from.
class TextSource {
public:
    TextSource(std::string_view bytes, const std::string& name, const PlyHeader& header)
        : scanner_(bytes.substr(header.bytes), name) {
        scanner_.set_line(header.lines + 1);
    }

    double real(PlyType type) {
        const std::string_view word = scanner_.word_on_any_line();
        return type == PlyType::f64 ? scanner_.wide_real(word, "a number") : scanner_.real(word, "a number");
    }
    std::int64_t integer(PlyType) { return scanner_.integer(scanner_.word_on_any_line(), "a whole number"); }
    void skip(PlyType, std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i) {
            if (scanner_.word_on_any_line().empty()) fail("the file ends too early; it is cut short, fetch it again");
        }
    }
    std::size_t remaining() const { return scanner_.remaining(); }
    [[noreturn]] void fail(const std::string& what) const { scanner_.fail(what); }

private:
    TextScanner scanner_;
};

// Where the values of a binary file come from.
class BinarySource {
public:
    BinarySource(std::string_view bytes, const std::string& name, const PlyHeader& header)
        : bytes_(bytes), name_(name), at_(header.bytes), big_(header.format == PlyHeader::Format::big_endian) {}

    double real(PlyType type) {
        if (type == PlyType::f32) return float_of(static_cast<std::uint32_t>(unsigned_of(4)));
        if (type != PlyType::f64) return static_cast<double>(integer(type));
        const std::uint64_t bits = unsigned_of(8);
        double value = 0.0;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }

    std::int64_t integer(PlyType type) {
        switch (type) {
        case PlyType::i8: return static_cast<std::int8_t>(unsigned_of(1));
        case PlyType::i16: return static_cast<std::int16_t>(unsigned_of(2));
        case PlyType::i32: return static_cast<std::int32_t>(unsigned_of(4));
        case PlyType::u8: return static_cast<std::int64_t>(unsigned_of(1));
        case PlyType::u16: return static_cast<std::int64_t>(unsigned_of(2));
        case PlyType::u32: return static_cast<std::int64_t>(unsigned_of(4));
        case PlyType::f32:
        case PlyType::f64: break;
        }
        fail("vertex numbers are stored with a fraction; export the mesh with whole numbers");
    }

    void skip(PlyType type, std::uint64_t count) {
        if (count > remaining() / byte_size(type)) fail("the file ends too early; it is cut short, fetch it again");
        at_ += count * byte_size(type);
    }

    std::size_t remaining() const { return bytes_.size() - at_; }
    [[noreturn]] void fail(const std::string& what) const {
        throw Failure(name_ + ", byte " + std::to_string(at_) + ": " + what + ".");
    }

private:
    static float float_of(std::uint32_t bits) {
        float value = 0.0f;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }

    std::uint64_t unsigned_of(std::size_t size) {
        if (remaining() < size) fail("the file ends too early; it is cut short, fetch it again");
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const std::size_t shift = 8 * (big_ ? size - 1 - i : i);
            value |= std::uint64_t{static_cast<unsigned char>(bytes_[at_ + i])} << shift;
        }
        at_ += size;
        return value;
    }

    std::string_view bytes_;
    const std::string& name_;
    std::size_t at_;
    bool big_;
};

template <class Source> std::uint64_t list_size(Source& source, const PlyProperty& property) {
    const std::int64_t size = source.integer(property.count_type);
    if (size < 0) source.fail("a list has a negative length; the file is damaged, fetch it again");
    return static_cast<std::uint64_t>(size);
}

template <class Source> void skip_property(Source& source, const PlyProperty& property) {
    source.skip(property.type, property.is_list ? list_size(source, property) : 1);
}

template <class Source> void read_vertices(Source& source, const PlyElement& element, MeshBuilder& builder) {
    const int x = element.find("x");
    const int y = element.find("y");
    const int z = element.find("z");
    if (x < 0 || y < 0 || z < 0) source.fail("the vertices lack x, y or z; export the mesh with positions");
    const auto is_double = [&](int at) { return element.properties[static_cast<std::size_t>(at)].type == PlyType::f64; };
    const bool doubles = is_double(x) || is_double(y) || is_double(z);
    for (std::uint64_t row = 0; row < element.count; ++row) {
        Place p{};
        for (int i = 0; i < static_cast<int>(element.properties.size()); ++i) {
            const PlyProperty& property = element.properties[static_cast<std::size_t>(i)];
            if (property.is_list && (i == x || i == y || i == z))
                source.fail("a coordinate is a list; export the mesh again");
            if (i == x) p[0] = source.real(property.type);
            else if (i == y) p[1] = source.real(property.type);
            else if (i == z) p[2] = source.real(property.type);
            else skip_property(source, property);
        }
        if (doubles) builder.vertex(p);
        else builder.vertex(Vec3{static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
    }
}

template <class Source>
void read_faces(Source& source, const PlyElement& element, MeshBuilder& builder, std::uint64_t vertex_count) {
    const int indices = std::max(element.find("vertex_indices"), element.find("vertex_index"));
    if (indices < 0 || !element.properties[static_cast<std::size_t>(indices)].is_list) {
        source.fail("the faces have no list called vertex_indices; export the mesh again");
    }
    std::vector<std::int64_t> corners;
    for (std::uint64_t row = 0; row < element.count; ++row) {
        for (int i = 0; i < static_cast<int>(element.properties.size()); ++i) {
            const PlyProperty& property = element.properties[static_cast<std::size_t>(i)];
            if (i != indices) {
                skip_property(source, property);
                continue;
            }
            corners.clear();
            const std::uint64_t size = list_size(source, property);
            for (std::uint64_t k = 0; k < size; ++k) corners.push_back(source.integer(property.type));
            builder.polygon(corners, vertex_count);
        }
    }
}

template <class Source> Mesh read_elements(Source source, const PlyHeader& header) {
    const bool binary = header.format != PlyHeader::Format::text;
    const PlyElement* vertices = header.find("vertex");
    const std::uint64_t vertex_count = vertices != nullptr ? vertices->count : 0;
    MeshBuilder builder([&](const std::string& what) { source.fail(what); });

    for (const PlyElement& element : header.elements) {
        const std::size_t least = element.least_bytes(binary);
        if (least == 0) continue; // no properties, so no data either
        // The text's last value may lack the blank after it.
        const std::uint64_t most_rows = (source.remaining() + (binary ? 0 : 1)) / least;
        if (element.count > most_rows) {
            source.fail("the header promises " + std::to_string(element.count) + " rows for element " +
                        std::to_string(&element - header.elements.data()) + ", but the rest of the file has room for " +
                        std::to_string(most_rows) + " at most; it is cut short, fetch it again");
        }
        if (&element == vertices) {
            builder.mesh().positions.reserve(element.count);
            read_vertices(source, element, builder);
        } else if (element.name == "face") {
            builder.mesh().triangles.reserve(element.count);
            read_faces(source, element, builder, vertex_count);
        } else {
            for (std::uint64_t row = 0; row < element.count; ++row) {
                for (const PlyProperty& property : element.properties) skip_property(source, property);
            }
        }
    }
    return builder.finish();
}

} // namespace

Mesh parse_ply(std::string_view bytes, const std::string& name) {
    const PlyHeader header = parse_ply_header(bytes, name);
    if (header.format == PlyHeader::Format::text) return read_elements(TextSource(bytes, name, header), header);
    return read_elements(BinarySource(bytes, name, header), header);
}

} // namespace cli
