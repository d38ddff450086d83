// Mesh files by grammar: a random mesh, written in one of the many ways that a format allows, with the mesh that a reader must get from it.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <vector>

#include "../random.hpp"
#include "mesh/formats.hpp"

namespace fuzz {

struct MeshFile {
    const char* format;
    cli::Mesh (*parse)(std::string_view, const std::string&);
    std::string bytes;
    cli::Mesh mesh;
};

/// Vertices and polygons, before a format says what becomes of them.
struct Polygons {
    std::vector<cli::Vec3> positions;
    std::vector<std::vector<std::uint32_t>> faces;
};

/// Writes one file; every choice comes from `random`.
class MeshWriter {
public:
    explicit MeshWriter(Random& random) : random_(random) {}

    MeshFile write() {
        switch (random_.below(7)) {
            case 0: case 1: return ply();
            case 2: return obj();
            case 3: return off();
            case 4: return stl(random_.chance(0.5));
            default: return gltf();
        }
    }

private:
    template <std::size_t N>
    const char* one_of(const char* const (&words)[N]) {
        return words[random_.below(N)];
    }

    /// A number that a float holds; now and then one that is hard to read.
    float number() {
        if (random_.chance(0.9)) return static_cast<float>(random_.within(-4, 4));
        const float hard[] = {1e-40f, 3.4028235e38f, -1e30f, 1.17549435e-38f, 16777217.0f, 0.1f, -0.33333334f, 1e-5f};
        return random_.of(hard);
    }
    /// A multiple of 1/64, so that sums and products of a few are exact.
    float plain() { return static_cast<float>(static_cast<int>(random_.below(512)) - 256) / 64; }

    Polygons polygons(bool exact_numbers = false, std::uint32_t most_corners = 6) {
        Polygons made;
        for (std::uint32_t i = random_.between(3, 14); i > 0; --i) {
            auto next = [&] { return exact_numbers ? plain() : number(); };
            const float x = next(), y = next();
            made.positions.push_back({x, y, next()});
        }
        for (std::uint32_t i = random_.between(1, 9); i > 0; --i) {
            made.faces.emplace_back();
            for (std::uint32_t k = random_.between(3, most_corners); k > 0; --k) made.faces.back().push_back(random_.below(made.positions.size()));
        }
        return made;
    }

    static cli::Mesh mesh_of(const Polygons& polygons) {
        cli::Mesh mesh{polygons.positions, {}};
        for (const auto& face : polygons.faces)
            for (std::size_t i = 2; i < face.size(); ++i) mesh.triangles.push_back({face[0], face[i - 1], face[i]});
        return mesh;
    }

    // --- words --------------------------------------------------------------------------------------------------------

    /// Digits that give exactly this float back.
    std::string digits(float value) {
        char text[64];
        const int style = static_cast<int>(random_.below(3));
        const auto end = style == 0   ? std::to_chars(text, text + 64, value)
                         : style == 1 ? std::to_chars(text, text + 64, value, std::chars_format::scientific)
                                      : std::to_chars(text, text + 64, static_cast<double>(value));
        const std::string number(text, end.ptr);
        return number[0] != '-' && random_.chance(0.05) ? "+" + number : number;
    }
    std::string gap() {
        const char* const gaps[] = {" ", " ", " ", "  ", "\t", " \t "};
        return one_of(gaps);
    }
    std::string point(const cli::Vec3& p) { return digits(p.x) + gap() + digits(p.y) + gap() + digits(p.z); }
    std::string line_end() { return crlf_ ? "\r\n" : "\n"; }
    /// What text formats pass over.
    std::string nothing() {
        if (!random_.chance(0.1)) return "";
        const char* const lines[] = {"", "   ", "# a comment", "#", "\t# v 1 2 3"};
        return one_of(lines) + line_end();
    }

    template <typename T>
    static void put(std::string& out, T value, bool big_endian = false) {
        char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        if (big_endian) std::reverse(bytes, bytes + sizeof(T));
        out.append(bytes, sizeof(T));
    }

    // --- PLY ------------------------------------------------------------------------------------------------------------

    struct Type {
        const char* name;
        int bytes;
        bool real;
    };

    /// A value of a property, as the format stores it.
    void ply_value(std::string& out, const Type& type, double value, int format) {
        if (format == 0) {
            out += type.real ? digits(static_cast<float>(value)) : std::to_string(static_cast<long long>(value));
            out += random_.chance(0.1) ? line_end() : gap();
            return;
        }
        const bool big = format == 2;
        if (type.real && type.bytes == 4) return put(out, static_cast<float>(value), big);
        if (type.real) return put(out, value, big);
        if (type.bytes == 1) return put(out, static_cast<std::uint8_t>(value));
        if (type.bytes == 2) return put(out, static_cast<std::uint16_t>(value), big);
        put(out, static_cast<std::uint32_t>(value), big);
    }

    MeshFile ply() {
        static const Type whole[] = {{"char", 1, false},   {"uchar", 1, false}, {"int8", 1, false},   {"uint8", 1, false}, {"short", 2, false}, {"ushort", 2, false},
                                     {"int16", 2, false}, {"uint16", 2, false}, {"int", 4, false}, {"uint", 4, false}, {"int32", 4, false}, {"uint32", 4, false}};
        static const Type reals[] = {{"float", 4, true}, {"float32", 4, true}, {"double", 8, true}, {"float64", 8, true}};
        const char* const formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
        const int format = static_cast<int>(random_.below(3));
        crlf_ = random_.chance(0.3);
        const std::string end = line_end();
        const Polygons body = polygons();
        std::string head = "ply" + end + "format " + formats[format] + " 1.0" + end, data;
        if (random_.chance(0.3)) head += "comment element vertex 7" + end;
        // Coordinates and what else a vertex has, in any order.
        struct Property {
            std::string name;
            Type type;
        };
        std::vector<Property> properties;
        for (const char* name : {"x", "y", "z"}) properties.push_back({name, random_.of(reals)});
        for (std::uint32_t i = random_.below(3); i > 0; --i)
            properties.insert(properties.begin() + random_.below(properties.size() + 1), {"extra" + std::to_string(i), random_.chance(0.5) ? random_.of(whole) : random_.of(reals)});
        const bool before = random_.chance(0.2), labelled = random_.chance(0.3);
        const Type count = random_.of(whole), index = random_.of(whole), label = random_.of(reals);
        if (before) {
            head += "element camera 2" + end + "property list uchar double views" + end;
            for (int i = 0; i < 2; ++i) {
                ply_value(data, whole[1], i, format);
                for (int k = 0; k < i; ++k) ply_value(data, reals[2], 7.5, format);
            }
        }
        head += "element vertex " + std::to_string(body.positions.size()) + end;
        for (const Property& property : properties) head += "property " + std::string(property.type.name) + " " + property.name + end;
        for (const cli::Vec3& p : body.positions)
            for (const Property& property : properties)
                ply_value(data, property.type, property.name == "x" ? p.x : property.name == "y" ? p.y : property.name == "z" ? p.z : 5, format);
        head += "element face " + std::to_string(body.faces.size()) + end;
        if (labelled) head += std::string("property ") + label.name + " quality" + end;
        head += std::string("property list ") + count.name + " " + index.name + (random_.chance(0.5) ? " vertex_indices" : " vertex_index") + end;
        for (const auto& face : body.faces) {
            if (labelled) ply_value(data, label, 1, format);
            ply_value(data, count, static_cast<double>(face.size()), format);
            for (std::uint32_t corner : face) ply_value(data, index, corner, format);
        }
        return {"PLY", cli::parse_ply, head + "end_header" + end + data, mesh_of(body)};
    }

    // --- OBJ and OFF ------------------------------------------------------------------------------------------------------

    MeshFile obj() {
        crlf_ = random_.chance(0.3);
        const Polygons body = polygons();
        std::string out = random_.chance(0.3) ? "mtllib a.mtl" + line_end() + "o thing" + line_end() : "";
        const bool late = random_.chance(0.2);
        std::string faces;
        const long long count = static_cast<long long>(body.positions.size());
        for (const auto& face : body.faces) {
            faces += nothing() + (random_.chance(0.1) ? "usemtl b" + line_end() + "s off" + line_end() : "") + "f";
            for (std::uint32_t corner : face) {
                const long long named = !late && random_.chance(0.2) ? static_cast<long long>(corner) - count : static_cast<long long>(corner) + 1;
                const char* const tails[] = {"", "", "/1", "//1", "/1/1"};
                faces += (random_.chance(0.03) ? " \\" + line_end() : gap()) + std::to_string(named) + one_of(tails);
            }
            faces += (random_.chance(0.1) ? " # three" : "") + line_end();
        }
        if (late) out += faces;
        for (const cli::Vec3& p : body.positions) {
            out += nothing() + "v " + point(p) + (random_.chance(0.1) ? " 1.0" : random_.chance(0.1) ? " 0.5 0.5 0.5" : "") + line_end();
            if (random_.chance(0.1)) out += "vn 0 0 1" + line_end() + "vt 0.5 0.5" + line_end();
        }
        return {"OBJ", cli::parse_obj, out + (late ? "" : faces), mesh_of(body)};
    }

    MeshFile off() {
        crlf_ = random_.chance(0.3);
        const Polygons body = polygons();
        const bool coloured = random_.chance(0.3);
        const std::string counts = std::to_string(body.positions.size()) + gap() + std::to_string(body.faces.size()) + gap() + "0";
        std::string out = nothing() + (coloured ? "COFF" : "OFF") + (random_.chance(0.2) ? counts : line_end() + nothing() + counts) + line_end();
        for (const cli::Vec3& p : body.positions) out += nothing() + point(p) + (coloured ? " 255 0 0 255" : "") + line_end();
        for (const auto& face : body.faces) {
            out += nothing() + std::to_string(face.size());
            for (std::uint32_t corner : face) out += gap() + std::to_string(corner);
            out += (random_.chance(0.2) ? " 3 255 0 0" : "") + line_end();
        }
        return {"OFF", cli::parse_off, out, mesh_of(body)};
    }

    // --- STL --------------------------------------------------------------------------------------------------------------

    MeshFile stl(bool text) {
        crlf_ = random_.chance(0.3);
        const Polygons body = polygons(false, 3);
        // Equal corners become one vertex, in the order of their first use.
        cli::Mesh mesh;
        for (const auto& face : body.faces) {
            cli::Triangle triangle{};
            for (std::size_t k = 0; k < 3; ++k) {
                const cli::Vec3 p = body.positions[face[k]];
                std::size_t at = 0;
                while (at < mesh.positions.size() && !(mesh.positions[at].x == p.x && mesh.positions[at].y == p.y && mesh.positions[at].z == p.z)) ++at;
                if (at == mesh.positions.size()) mesh.positions.push_back(p);
                triangle[k] = static_cast<std::uint32_t>(at);
            }
            mesh.triangles.push_back(triangle);
        }
        std::string out;
        if (text) {
            const bool loud = random_.chance(0.2);
            auto word = [&](const char* lower) {
                std::string result = lower;
                if (loud)
                    for (char& c : result) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
                return result;
            };
            out = word("solid") + (random_.chance(0.5) ? " a name" : "") + line_end();
            for (const auto& face : body.faces) {
                out += "  " + word("facet normal") + " 0 0 1" + line_end() + word("outer loop") + line_end();
                for (std::uint32_t corner : face) out += gap() + word("vertex") + gap() + point(body.positions[corner]) + line_end();
                out += word("endloop") + line_end() + word("endfacet") + line_end();
            }
            out += word("endsolid") + line_end();
        } else {
            out = random_.chance(0.5) ? "solid, but binary all the same" : "";
            out.resize(80, random_.chance(0.5) ? ' ' : '\0');
            put(out, static_cast<std::uint32_t>(body.faces.size()));
            for (const auto& face : body.faces) {
                for (int i = 0; i < 3; ++i) put(out, 0.0f);
                for (std::uint32_t corner : face)
                    for (float x : {body.positions[corner].x, body.positions[corner].y, body.positions[corner].z}) put(out, x);
                put(out, static_cast<std::uint16_t>(random_.bits()));
            }
        }
        return {"STL", cli::parse_stl, out, mesh};
    }

    // --- glTF -------------------------------------------------------------------------------------------------------------

    static std::string base64(const std::string& bytes) {
        const char* const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        std::string out;
        for (std::size_t i = 0; i < bytes.size(); i += 3) {
            std::uint32_t bits = 0;
            for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
            for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : letters[bits >> (18 - 6 * k) & 63];
        }
        return out;
    }

    /// A node's place: scale, then translation, in numbers that are exact.
    struct Place {
        double scale[3] = {1, 1, 1}, shift[3] = {0, 0, 0};

        cli::Vec3 operator()(const cli::Vec3& p) const {
            return {static_cast<float>(scale[0] * p.x + shift[0]), static_cast<float>(scale[1] * p.y + shift[1]), static_cast<float>(scale[2] * p.z + shift[2])};
        }
        bool mirrors() const { return scale[0] * scale[1] * scale[2] < 0; }
    };

    Place place() {
        const double scales[] = {1, 2, 0.5, -1};
        Place made;
        for (int i = 0; i < 3; ++i) {
            made.scale[i] = random_.chance(0.3) ? random_.of(scales) : 1;
            made.shift[i] = random_.chance(0.5) ? static_cast<double>(plain()) : 0;
        }
        return made;
    }

    std::string place_json(const Place& p) {
        auto list = [](std::initializer_list<double> values) {
            std::string out = "[";
            for (double v : values) out += (out.size() > 1 ? "," : "") + std::to_string(v);
            return out + "]";
        };
        if (random_.chance(0.3))
            return R"("matrix":)" + list({p.scale[0], 0, 0, 0, 0, p.scale[1], 0, 0, 0, 0, p.scale[2], 0, p.shift[0], p.shift[1], p.shift[2], 1});
        return R"("translation":)" + list({p.shift[0], p.shift[1], p.shift[2]}) + R"(,"scale":)" + list({p.scale[0], p.scale[1], p.scale[2]});
    }

    static void add(cli::Mesh& mesh, const Polygons& body, const Place& place) {
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        for (const cli::Vec3& p : body.positions) mesh.positions.push_back(place(p));
        for (const auto& face : body.faces) {
            cli::Triangle triangle{first + face[0], first + face[1], first + face[2]};
            if (place.mirrors()) std::swap(triangle[1], triangle[2]);
            mesh.triangles.push_back(triangle);
        }
    }

    MeshFile gltf() {
        Polygons body = polygons(true, 3);
        const bool indexed = random_.chance(0.8);
        if (!indexed) {
            // Vertices three by three.
            Polygons apart;
            for (const auto& face : body.faces) {
                const auto at = static_cast<std::uint32_t>(apart.positions.size());
                for (std::uint32_t corner : face) apart.positions.push_back(body.positions[corner]);
                apart.faces.push_back({at, at + 1, at + 2});
            }
            body = apart;
        }
        std::string bin(4 * random_.below(3), '\7');
        const std::size_t points_at = bin.size(), stride = random_.chance(0.5) ? 12 : 12 + 4 * random_.between(1, 4);
        for (const cli::Vec3& p : body.positions) {
            for (float x : {p.x, p.y, p.z}) put(bin, x);
            bin.append(stride - 12, '\1');
        }
        const std::size_t indices_at = bin.size(), kind = random_.below(3);
        for (const auto& face : body.faces)
            for (std::uint32_t corner : face) {
                if (kind == 0) put(bin, static_cast<std::uint8_t>(corner));
                if (kind == 1) put(bin, static_cast<std::uint16_t>(corner));
                if (kind == 2) put(bin, corner);
            }
        const std::size_t size = bin.size();
        const Place outer = place(), inner = place();
        cli::Mesh mesh;
        add(mesh, body, outer);
        Place both;
        for (int i = 0; i < 3; ++i) {
            both.scale[i] = outer.scale[i] * inner.scale[i];
            both.shift[i] = outer.scale[i] * inner.shift[i] + outer.shift[i];
        }
        add(mesh, body, both);
        auto number = [](std::size_t n) { return std::to_string(n); };
        const std::size_t types[] = {5121, 5123, 5125};
        const bool binary = random_.chance(0.5);
        std::string json = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"children":[1],)" + place_json(outer) +
                           R"(},{"mesh":0,)" + place_json(inner) + R"(}],"meshes":[{"primitives":[{"attributes":{"POSITION":0})" +
                           (indexed ? R"(,"indices":1)" : "") + (random_.chance(0.3) ? R"(,"mode":4)" : "") +
                           R"(}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":)" + number(body.positions.size()) +
                           R"(,"type":"VEC3"},{"bufferView":1,"componentType":)" + number(types[kind]) + R"(,"count":)" + number(3 * body.faces.size()) +
                           R"(,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteOffset":)" + number(points_at) + R"(,"byteLength":)" + number(indices_at - points_at) +
                           (stride != 12 ? R"(,"byteStride":)" + number(stride) : "") + R"(},{"buffer":0,"byteOffset":)" + number(indices_at) +
                           R"(,"byteLength":)" + number(size - indices_at) + R"(}],"buffers":[{"byteLength":)" + number(size) +
                           (binary ? "" : R"(,"uri":"data:application/octet-stream;base64,)" + base64(bin) + "\"") + "}]}";
        if (!binary) return {"glTF", cli::parse_gltf, json, mesh};
        json.resize((json.size() + 3) / 4 * 4, ' ');
        bin.resize((size + 3) / 4 * 4, '\0');
        std::string out = "glTF";
        for (std::size_t n : {std::size_t{2}, 28 + json.size() + bin.size(), json.size()}) put(out, static_cast<std::uint32_t>(n));
        out += "JSON" + json;
        put(out, static_cast<std::uint32_t>(bin.size()));
        return {"GLB", cli::parse_gltf, out + std::string("BIN\0", 4) + bin, mesh};
    }

    Random& random_;
    bool crlf_ = false;
};

}  // namespace fuzz
