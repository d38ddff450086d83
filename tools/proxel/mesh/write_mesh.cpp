#include "failure.hpp"
#include "mesh/file_bytes.hpp"
#include "mesh/mesh.hpp"

#include <charconv>
#include <cstring>
#include <map>

namespace cli {
namespace {

void append(std::string& out, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>((value >> shift) & 0xffu);
}

void append(std::string& out, float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    append(out, bits);
}

void append(std::string& out, Vec3 p) {
    append(out, p.x);
    append(out, p.y);
    append(out, p.z);
}

// As few digits as bring the same number back.
template <class T> void append_text(std::string& out, T value) {
    char text[32];
    out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

// `before` is written before each vertex and each face; `first` is what the format counts vertices from.
void append_lines(std::string& out, const Mesh& mesh, const char* vertex, const char* face, std::uint32_t first) {
    for (const Vec3 p : mesh.positions) {
        out += vertex;
        append_text(out, p.x);
        append_text(out += ' ', p.y);
        append_text(out += ' ', p.z);
        out += '\n';
    }
    for (const Triangle& t : mesh.triangles) {
        out += face;
        append_text(out, t[0] + first);
        append_text(out += ' ', t[1] + first);
        append_text(out += ' ', t[2] + first);
        out += '\n';
    }
}

std::string ply(const Mesh& mesh) {
    std::string out = "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(mesh.positions.size()) +
                      "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
                      std::to_string(mesh.triangles.size()) + "\nproperty list uchar uint vertex_indices\nend_header\n";
    out.reserve(out.size() + 12 * mesh.positions.size() + 13 * mesh.triangles.size());
    for (const Vec3 p : mesh.positions) append(out, p);
    for (const Triangle& triangle : mesh.triangles) {
        out += '\x03';
        for (const std::uint32_t index : triangle) append(out, index);
    }
    return out;
}

std::string obj(const Mesh& mesh) {
    std::string out;
    append_lines(out, mesh, "v ", "f ", 1);
    return out;
}

std::string off(const Mesh& mesh) {
    std::string out = "OFF\n" + std::to_string(mesh.positions.size()) + " " + std::to_string(mesh.triangles.size()) + " 0\n";
    append_lines(out, mesh, "", "3 ", 0);
    return out;
}

std::string stl(const Mesh& mesh) {
    std::string out(80, ' ');
    append(out, static_cast<std::uint32_t>(mesh.triangles.size()));
    for (const Triangle& t : mesh.triangles) {
        const Vec3 corners[3] = {mesh.positions[t[0]], mesh.positions[t[1]], mesh.positions[t[2]]};
        append(out, normalised(cross(corners[1] - corners[0], corners[2] - corners[0])));
        for (const Vec3 p : corners) append(out, p);
        out += std::string(2, '\0');
    }
    return out;
}

using Writer = std::string (*)(const Mesh&);

const std::map<std::string, Writer>& writers() {
    static const std::map<std::string, Writer> all{{".ply", ply}, {".obj", obj}, {".stl", stl}, {".off", off}};
    return all;
}

} // namespace

bool can_write_mesh(const std::string& path) { return writers().count(ending_of(path)) > 0; }

void write_mesh(const std::string& path, const Mesh& mesh) {
    if (!can_write_mesh(path)) throw Failure(path + ": meshes are written as .ply, .obj, .stl or .off; choose such a name.");
    write_file_bytes(path, writers().at(ending_of(path))(mesh));
}

} // namespace cli
