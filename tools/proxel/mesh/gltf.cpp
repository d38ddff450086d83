// glTF 2.0, text and binary, by tinygltf, which is compiled in without its image loading and file access. What a file can make
// it do is bounded first: depth and size of the JSON, the sum of the buffers, and which files may be opened.
#include "failure.hpp"
#include "mesh/file_bytes.hpp"
#include "mesh/formats.hpp"
#include "mesh/mesh_builder.hpp"

#include <nlohmann/json.hpp>

#include <fstream> // tinygltf forgets it without its file access

#define TINYGLTF_IMPLEMENTATION
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_EXTERNAL_IMAGE
#define TINYGLTF_NO_FS
#define TINYGLTF_NO_INCLUDE_JSON
#include <tiny_gltf.h>

#include <cstring>
#include <filesystem>

namespace cli {
namespace {

using nlohmann::json;

constexpr std::size_t most_json_bytes = std::size_t{64} << 20;
constexpr std::size_t most_json_objects = 1'000'000;
constexpr int most_json_depth = 32;
constexpr std::uint64_t most_buffer_bytes = std::uint64_t{4} << 30;
constexpr std::size_t most_items = std::size_t{1} << 27;  // vertices, and corners, when all instances are written out
constexpr std::size_t most_instances = 1'000'000;         // of primitives
const std::string bin_uri = "the binary chunk";          // stands for it where tinygltf expects a file

// The two parts of a .glb file; a .gltf file is all JSON.
struct Parts {
    std::string_view json;
    std::string_view bin;
};

// Walks over the JSON and builds nothing; stops where it goes too far. (The library's parse with a callback looks at all
// elements before an object whenever one ends, which takes quadratic time.)
struct Bounds : nlohmann::json_sax<json> {
    std::string exceeded;
    std::size_t error_byte = 0;

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool key(string_t&) override { return true; }
    bool start_object(std::size_t) override {
        if (++objects_ > most_json_objects) exceeded = "its JSON has more than a million objects; split the scene";
        return enter();
    }
    bool end_object() override { return leave(); }
    bool start_array(std::size_t) override { return enter(); }
    bool end_array() override { return leave(); }
    bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception&) override {
        error_byte = byte;
        return false;
    }

private:
    bool enter() {
        if (++depth_ > most_json_depth) exceeded = "its JSON is nested deeper than 32 levels; export the scene again";
        return exceeded.empty();
    }
    bool leave() {
        --depth_;
        return true;
    }

    std::size_t objects_ = 0;
    int depth_ = 0;
};

class Reader {
public:
    Reader(std::string_view bytes, const std::string& name)
        : name_(name), folder_(std::filesystem::u8path(name).parent_path()), builder_([this](const std::string& what) { fail(what); }) {
        parts_ = split(bytes);
        load(reduced());
    }

    Mesh mesh() {
        const std::vector<int> roots = root_nodes();
        if (roots.empty() && model_.nodes.empty()) {
            for (std::size_t i = 0; i < model_.meshes.size(); ++i) place_mesh(static_cast<int>(i), Transform{});
        }
        std::vector<std::pair<int, Transform>> waiting;
        for (auto root = roots.rbegin(); root != roots.rend(); ++root) waiting.emplace_back(*root, Transform{});
        std::vector<bool> seen(model_.nodes.size());
        while (!waiting.empty()) {
            const auto [index, above] = waiting.back();
            waiting.pop_back();
            const tinygltf::Node& node = at(model_.nodes, index, "node");
            if (seen[static_cast<std::size_t>(index)])
                fail("node " + std::to_string(index) + " has two parents, but nodes form a tree; export the scene again");
            seen[static_cast<std::size_t>(index)] = true;
            const Transform here = above * transform_of(node);
            if (node.mesh >= 0) place_mesh(node.mesh, here);
            for (auto child = node.children.rbegin(); child != node.children.rend(); ++child) waiting.emplace_back(*child, here);
        }
        for (const auto& [primitive, transform] : placed_) add_primitive(*primitive, transform);
        return builder_.finish();
    }

private:
    // Three rows of a linear part and a translation.
    struct Transform {
        double m[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

        Vec3 operator()(Vec3 p) const {
            const auto row = [&](int i) { return static_cast<float>(m[i][0] * p.x + m[i][1] * p.y + m[i][2] * p.z + m[i][3]); };
            return {row(0), row(1), row(2)};
        }
        Transform operator*(const Transform& inner) const {
            Transform out;
            for (int i = 0; i < 3; ++i) {
                for (int k = 0; k < 4; ++k)
                    out.m[i][k] = m[i][0] * inner.m[0][k] + m[i][1] * inner.m[1][k] + m[i][2] * inner.m[2][k] + (k == 3 ? m[i][3] : 0);
            }
            return out;
        }
        bool mirrors() const {
            return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                       m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) < 0;
        }
    };

    // The bytes of an accessor, all of them within their buffer.
    struct Elements {
        const unsigned char* first = nullptr;
        std::size_t stride = 0;
        std::size_t count = 0;

        template <class T> T get(std::size_t i, std::size_t k = 0) const {
            T value{};
            std::memcpy(&value, first + i * stride + k * sizeof(T), sizeof(T));
            return value;
        }
    };

    [[noreturn]] void fail(const std::string& what) const { throw Failure(name_ + ": " + what + "."); }

    template <class T> const T& at(const std::vector<T>& items, int index, const char* what) const {
        if (index < 0 || static_cast<std::size_t>(index) >= items.size())
            fail("there is no " + std::string(what) + " " + std::to_string(index) + ", only " + std::to_string(items.size()) +
                 "; export the scene again");
        return items[static_cast<std::size_t>(index)];
    }

    Parts split(std::string_view bytes) const {
        if (bytes.substr(0, 4) != "glTF") return {bytes, {}};
        const auto u32 = [&](std::size_t place) {
            std::uint32_t value = 0;
            if (place + 4 > bytes.size()) fail("the binary glTF header is cut short; fetch the file again");
            std::memcpy(&value, bytes.data() + place, 4);
            return std::size_t{value};
        };
        if (u32(4) != 2) fail("binary glTF version " + std::to_string(u32(4)) + " is not supported; export it as version 2");
        Parts parts;
        for (std::size_t place = 12; place < bytes.size();) {
            const std::size_t size = u32(place);
            const std::size_t kind = u32(place + 4);
            if (size > bytes.size() - place - 8)
                fail("the chunk at byte " + std::to_string(place) + " has " + std::to_string(size) +
                     " bytes, more than are left; the file is cut short, fetch it again");
            const std::string_view data = bytes.substr(place + 8, size);
            if (kind == 0x4e4f534a && parts.json.empty()) parts.json = data;
            if (kind == 0x004e4942 && parts.bin.empty()) parts.bin = data;
            place += 8 + size;
        }
        return parts;
    }

    // What of the JSON is about shape, checked; the rest (images, materials, animations) is not even shown to tinygltf.
    std::string reduced() {
        if (parts_.json.size() > most_json_bytes)
            fail("its JSON is larger than the 64 MiB that are read; export it as .glb, which keeps the mesh outside of the JSON");
        Bounds bounds;
        const bool well_formed = json::sax_parse(parts_.json.begin(), parts_.json.end(), &bounds);
        if (!bounds.exceeded.empty()) fail(bounds.exceeded);
        if (!well_formed)
            fail("not valid JSON at byte " + std::to_string(bounds.error_byte) + " of it; the file is damaged or of another format");
        json root = json::parse(parts_.json.begin(), parts_.json.end());
        if (!root.is_object()) fail("not a glTF file: its JSON is not an object");
        if (root.contains("extensionsRequired")) refuse_extensions(root["extensionsRequired"]);
        json kept = json::object();
        for (const char* key : {"asset", "scene", "scenes", "nodes", "meshes", "accessors", "bufferViews", "buffers"}) {
            if (root.contains(key)) kept[key] = std::move(root[key]);
        }
        if (kept.contains("buffers")) check_buffers(kept["buffers"]);
        return kept.dump();
    }

    void refuse_extensions(const json& names) const {
        for (const json& name : names) {
            const std::string text = name.is_string() ? name.get<std::string>().substr(0, 60) : "?";
            // These change looks, not shape.
            if (text.rfind("KHR_materials_", 0) == 0 || text == "KHR_texture_transform" || text == "KHR_lights_punctual") continue;
            fail("it needs the extension " + printable(text) + ", which is not supported; export the scene without it");
        }
    }

    void check_buffers(json& buffers) {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            json& buffer = buffers.is_array() ? buffers[i] : buffers;
            if (!buffer.is_object() || !buffer.contains("byteLength") || !buffer["byteLength"].is_number_unsigned())
                fail("buffer " + std::to_string(i) + " has no length; export the scene again");
            const std::uint64_t size = buffer["byteLength"].get<std::uint64_t>();
            if (size == 0 || size > most_buffer_bytes || (sum += size) > most_buffer_bytes)
                fail("the buffers have " + std::to_string(size) + " bytes and more, or none; from 1 byte to 4 GiB in all are read");
            if (buffer.contains("uri")) continue;
            if (i > 0 || size > parts_.bin.size())
                fail("buffer " + std::to_string(i) + " has " + std::to_string(size) + " bytes, but the binary chunk has " +
                     std::to_string(i > 0 ? 0 : parts_.bin.size()) + "; the file is cut short, fetch it again");
            parts_.bin = parts_.bin.substr(0, size); // the rest is padding
            buffer["uri"] = bin_uri;
        }
    }

    static std::string printable(const std::string& text) {
        std::string out;
        for (const char c : text.substr(0, 160)) out += c >= ' ' && c <= '~' ? c : ' ';
        while (!out.empty() && (out.back() == ' ' || out.back() == '.')) out.pop_back();
        return out;
    }

    // True for a regular file in the glTF file's folder or below, symbolic links followed.
    bool may_open(const std::string& path) const {
        std::error_code error;
        const std::filesystem::path home = std::filesystem::canonical(folder_.empty() ? "." : folder_, error);
        if (error) return false;
        const std::filesystem::path real = std::filesystem::canonical(std::filesystem::u8path(path), error);
        if (error || !std::filesystem::is_regular_file(real, error)) return false;
        const auto [end, rest] = std::mismatch(home.begin(), home.end(), real.begin(), real.end());
        return end == home.end();
    }

    // tinygltf joins a folder and the name with a slash.
    static bool is_bin(const std::string& path) {
        return path.size() >= bin_uri.size() && path.compare(path.size() - bin_uri.size(), bin_uri.size(), bin_uri) == 0;
    }

    void load(const std::string& text) {
        tinygltf::TinyGLTF loader;
        tinygltf::FsCallbacks files{};
        files.user_data = this;
        files.FileExists = [](const std::string& path, void* self) {
            return is_bin(path) || static_cast<const Reader*>(self)->may_open(path);
        };
        files.ExpandFilePath = [](const std::string& path, void*) { return path; };
        files.ReadWholeFile = [](std::vector<unsigned char>* out, std::string*, const std::string& path, void* self) {
            const Reader& reader = *static_cast<const Reader*>(self);
            if (is_bin(path)) {
                out->assign(reader.parts_.bin.begin(), reader.parts_.bin.end());
                return true;
            }
            if (!reader.may_open(path)) return false;
            const std::string bytes = read_file_bytes(path);
            out->assign(bytes.begin(), bytes.end());
            return true;
        };
        files.WriteWholeFile = [](std::string*, const std::string&, const std::vector<unsigned char>&, void*) { return false; };
        loader.SetFsCallbacks(files);
        std::string error, warning;
        bool loaded = false;
        try {
            loaded = loader.LoadASCIIFromString(&model_, &error, &warning, text.data(), static_cast<unsigned>(text.size()),
                                                folder_.u8string(), 0);
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& thrown) {
            error = thrown.what();
        }
        if (!loaded) fail("cannot be read as glTF (" + printable(error) + "); files that it names must be in its own folder");
    }

    std::vector<int> root_nodes() const {
        if (!model_.scenes.empty()) return at(model_.scenes, std::max(model_.defaultScene, 0), "scene").nodes;
        std::vector<bool> child(model_.nodes.size());
        for (const tinygltf::Node& node : model_.nodes) {
            for (const int i : node.children) {
                if (i >= 0 && static_cast<std::size_t>(i) < child.size()) child[static_cast<std::size_t>(i)] = true;
            }
        }
        std::vector<int> roots;
        for (std::size_t i = 0; i < child.size(); ++i) {
            if (!child[i]) roots.push_back(static_cast<int>(i));
        }
        return roots;
    }

    Transform transform_of(const tinygltf::Node& node) const {
        const auto check = [&](const std::vector<double>& values, std::size_t count, const char* what) {
            if (!values.empty() && values.size() != count)
                fail("a node's " + std::string(what) + " has " + std::to_string(values.size()) + " numbers instead of " +
                     std::to_string(count) + "; export the scene again");
            return !values.empty();
        };
        Transform t;
        if (check(node.matrix, 16, "matrix")) {
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t k = 0; k < 4; ++k) t.m[i][k] = node.matrix[4 * k + i];
            }
            return t;
        }
        if (check(node.rotation, 4, "rotation")) {
            const double x = node.rotation[0], y = node.rotation[1], z = node.rotation[2], w = node.rotation[3];
            const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                                       {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                                       {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
            for (int i = 0; i < 3; ++i) {
                for (int k = 0; k < 3; ++k) t.m[i][k] = rows[i][k];
            }
        }
        const bool scales = check(node.scale, 3, "scale");
        const bool moves = check(node.translation, 3, "translation");
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t k = 0; k < 3 && scales; ++k) t.m[i][k] *= node.scale[k];
            if (moves) t.m[i][3] = node.translation[i];
        }
        return t;
    }

    Elements elements(int index, int type, std::size_t size) const {
        const tinygltf::Accessor& accessor = at(model_.accessors, index, "accessor");
        const std::string which = "accessor " + std::to_string(index);
        if (accessor.sparse.isSparse) fail(which + " is sparse, which is not supported; export the scene without sparse accessors");
        if (accessor.type != type) fail(which + " has the wrong type; export the scene again");
        const tinygltf::BufferView& view = at(model_.bufferViews, accessor.bufferView, "buffer view");
        const std::vector<unsigned char>& data = at(model_.buffers, view.buffer, "buffer").data;
        const int stride = accessor.ByteStride(view);
        if (view.byteOffset > data.size() || view.byteLength > data.size() - view.byteOffset || stride < static_cast<int>(size))
            fail(which + " lies outside of its buffer; the file is damaged, export the scene again");
        const std::size_t room = view.byteLength > accessor.byteOffset ? view.byteLength - accessor.byteOffset : 0;
        const auto step = static_cast<std::size_t>(stride);
        if (accessor.count > 0 && (room < size || (room - size) / step < accessor.count - 1))
            fail(which + " has " + std::to_string(accessor.count) + " elements, more than its buffer; the file is damaged, export the "
                 "scene again");
        return {data.data() + view.byteOffset + accessor.byteOffset, step, accessor.count};
    }

    std::uint32_t vertex_index(const tinygltf::Accessor& accessor, const Elements& indices, std::size_t i) const {
        if (accessor.componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE) return indices.get<std::uint8_t>(i);
        if (accessor.componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT) return indices.get<std::uint16_t>(i);
        return indices.get<std::uint32_t>(i);
    }

    // Counts before anything is written out: one mesh in many places makes a large scene of a small file.
    void place_mesh(int index, const Transform& transform) {
        for (const tinygltf::Primitive& primitive : at(model_.meshes, index, "mesh").primitives) {
            const auto position = primitive.attributes.find("POSITION");
            // Points and lines have no surface.
            if (primitive.mode < TINYGLTF_MODE_TRIANGLES || primitive.mode > TINYGLTF_MODE_TRIANGLE_FAN || position == primitive.attributes.end()) continue;
            const auto count = [&](int accessor) { return std::min(at(model_.accessors, accessor, "accessor").count, most_items); };
            vertices_ += count(position->second);
            corners_ += count(primitive.indices < 0 ? position->second : primitive.indices);
            if (placed_.size() == most_instances || vertices_ > most_items || corners_ > most_items)
                fail("more than 134217728 vertices or corners of triangles in all instances; split the scene");
            placed_.emplace_back(&primitive, transform);
        }
    }

    void add_primitive(const tinygltf::Primitive& primitive, const Transform& transform) {
        const int mode = primitive.mode;
        const int position = primitive.attributes.at("POSITION");
        if (at(model_.accessors, position, "accessor").componentType != TINYGLTF_COMPONENT_TYPE_FLOAT)
            fail("positions are not 32-bit floats (quantized?); export the scene without quantization");
        const Elements points = elements(position, TINYGLTF_TYPE_VEC3, 12);
        const std::size_t first = builder_.mesh().positions.size();
        for (std::size_t i = 0; i < points.count; ++i)
            builder_.vertex(transform({points.get<float>(i, 0), points.get<float>(i, 1), points.get<float>(i, 2)}));

        std::size_t count = points.count;
        Elements indices;
        if (primitive.indices >= 0) {
            const int kind = at(model_.accessors, primitive.indices, "accessor").componentType;
            const bool narrow = kind == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE || kind == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT;
            if (!narrow && kind != TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT) fail("indices are not whole numbers; export the scene again");
            indices = elements(primitive.indices, TINYGLTF_TYPE_SCALAR,
                               narrow ? (kind == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE ? 1 : 2) : 4);
            count = indices.count;
        }
        const auto corner = [&](std::size_t i) {
            const std::uint32_t named =
                primitive.indices < 0 ? static_cast<std::uint32_t>(i)
                                      : vertex_index(model_.accessors[static_cast<std::size_t>(primitive.indices)], indices, i);
            if (named >= points.count) builder_.out_of_range(named, points.count);
            return static_cast<std::int64_t>(first + named);
        };
        const bool mirrored = transform.mirrors();
        const bool apart = mode == TINYGLTF_MODE_TRIANGLES;
        const std::size_t triangles = apart ? count / 3 : count < 3 ? 0 : count - 2;
        std::vector<std::int64_t> corners(3);
        for (std::size_t t = 0; t < triangles; ++t) {
            const std::size_t a = apart ? 3 * t : mode == TINYGLTF_MODE_TRIANGLE_FAN ? 0 : t;
            const std::size_t b = apart ? 3 * t + 1 : t + 1;
            corners = {corner(a), corner(b), corner(b + 1)};
            // Every second triangle of a strip is the other way round; so is all behind a mirror.
            const bool odd = mode == TINYGLTF_MODE_TRIANGLE_STRIP && t % 2 == 1;
            if (odd != mirrored) std::swap(corners[1], corners[2]);
            builder_.polygon(corners, builder_.mesh().positions.size());
        }
    }

    const std::string& name_;
    std::filesystem::path folder_;
    MeshBuilder builder_;
    Parts parts_;
    tinygltf::Model model_;
    std::vector<std::pair<const tinygltf::Primitive*, Transform>> placed_;
    std::size_t vertices_ = 0, corners_ = 0; // of all that is placed
};

} // namespace

Mesh parse_gltf(std::string_view bytes, const std::string& name) { return Reader(bytes, name).mesh(); }

} // namespace cli
