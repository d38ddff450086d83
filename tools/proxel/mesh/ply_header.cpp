#include "mesh/ply_header.hpp"

#include "failure.hpp"

#include <charconv>

namespace cli {
namespace {

class HeaderReader {
public:
    HeaderReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {
        if (bytes.substr(0, 3) != "ply") fail("a PLY file begins with ply, this one does not; check its format");
        // The data begin right after the header's last line end, so its exact bytes matter: learn them from line 1.
        if (bytes.substr(3, 2) == "\r\n") line_end_ = "\r\n";
        if (bytes.substr(3, 2) != "\r\n" && bytes.substr(3, 1) == "\r") line_end_ = "\r";
    }

    PlyHeader read() {
        for (next_line(); keyword() != "end_header"; next_line()) statement();
        if (!has_format_) fail("the header names no format; add a line such as: format ascii 1.0");
        header_.bytes = at_;
        header_.lines = line_;
        return std::move(header_);
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Failure(name_ + ", line " + std::to_string(line_) + ": " + what + ".");
    }

    std::string_view keyword() const { return words_.empty() ? std::string_view{} : words_[0]; }

    void next_line() {
        const std::size_t end = bytes_.find(line_end_, at_);
        if (end == std::string_view::npos) fail("the header has no end_header; the file is cut short, fetch it again");
        const std::string_view line = bytes_.substr(at_, end - at_);
        at_ = end + line_end_.size();
        ++line_;
        words_.clear();
        for (std::size_t i = 0; i < line.size();) {
            const std::size_t start = line.find_first_not_of(" \t\r", i);
            if (start == std::string_view::npos) break;
            i = std::min(line.find_first_of(" \t\r", start), line.size());
            words_.push_back(line.substr(start, i - start));
        }
    }

    void statement() {
        if (keyword() == "format") return format();
        if (keyword() == "element") return element();
        if (keyword() == "property") return property();
        if (!words_.empty() && keyword() != "ply" && keyword() != "comment" && keyword() != "obj_info") {
            fail("expected format, element, property, comment or end_header; the header is damaged, export the mesh "
                 "again");
        }
    }

    void format() {
        const std::string_view kind = words_.size() > 1 ? words_[1] : std::string_view{};
        has_format_ = true;
        if (kind == "ascii") header_.format = PlyHeader::Format::text;
        else if (kind == "binary_little_endian") header_.format = PlyHeader::Format::little_endian;
        else if (kind == "binary_big_endian") header_.format = PlyHeader::Format::big_endian;
        else fail("the format must be ascii, binary_little_endian or binary_big_endian; export the mesh again");
    }

    void element() {
        PlyElement element;
        if (words_.size() != 3) fail("expected: element NAME COUNT; repair the line");
        element.name = words_[1];
        const std::string_view digits = words_[2];
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), element.count);
        if (end != digits.data() + digits.size() || error != std::errc{})
            fail("an element's count must be a whole number from 0; repair the line");
        if (header_.find(element.name) != nullptr) fail("an element is declared twice; export the mesh again");
        header_.elements.push_back(std::move(element));
    }

    void property() {
        if (header_.elements.empty()) fail("a property comes before any element; export the mesh again");
        PlyProperty property;
        property.is_list = words_.size() > 1 && words_[1] == "list";
        if (words_.size() != (property.is_list ? 5u : 3u))
            fail("expected: property TYPE NAME, or property list TYPE TYPE NAME; repair the line");
        property.name = words_.back();
        property.type = type(words_[words_.size() - 2]);
        if (property.is_list) property.count_type = type(words_[2]);
        if (property.is_list && (property.count_type == PlyType::f32 || property.count_type == PlyType::f64)) {
            fail("a list's count has a type that is no whole number; export the mesh again");
        }
        header_.elements.back().properties.push_back(property);
    }

    PlyType type(std::string_view word) const {
        if (word == "char" || word == "int8") return PlyType::i8;
        if (word == "uchar" || word == "uint8") return PlyType::u8;
        if (word == "short" || word == "int16") return PlyType::i16;
        if (word == "ushort" || word == "uint16") return PlyType::u16;
        if (word == "int" || word == "int32") return PlyType::i32;
        if (word == "uint" || word == "uint32") return PlyType::u32;
        if (word == "float" || word == "float32") return PlyType::f32;
        if (word == "double" || word == "float64") return PlyType::f64;
        fail("a property's type must be one of char uchar short ushort int uint float double; export the mesh again");
    }

    std::string_view bytes_;
    const std::string& name_;
    std::string_view line_end_ = "\n";
    std::size_t at_ = 0;
    std::size_t line_ = 0;
    std::vector<std::string_view> words_;
    PlyHeader header_;
    bool has_format_ = false;
};

} // namespace

std::size_t byte_size(PlyType type) {
    switch (type) {
    case PlyType::i8:
    case PlyType::u8: return 1;
    case PlyType::i16:
    case PlyType::u16: return 2;
    case PlyType::i32:
    case PlyType::u32:
    case PlyType::f32: return 4;
    case PlyType::f64: return 8;
    }
    return 0;
}

int PlyElement::find(std::string_view property) const {
    for (std::size_t i = 0; i < properties.size(); ++i) {
        if (properties[i].name == property) return static_cast<int>(i);
    }
    return -1;
}

std::size_t PlyElement::least_bytes(bool binary) const {
    std::size_t sum = 0;
    for (const PlyProperty& p : properties) sum += binary ? byte_size(p.is_list ? p.count_type : p.type) : 2;
    return sum;
}

const PlyElement* PlyHeader::find(std::string_view element) const {
    for (const PlyElement& e : elements) {
        if (e.name == element) return &e;
    }
    return nullptr;
}

PlyHeader parse_ply_header(std::string_view bytes, const std::string& name) { return HeaderReader(bytes, name).read(); }

} // namespace cli
