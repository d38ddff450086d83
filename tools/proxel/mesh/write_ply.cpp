#include "mesh/file_bytes.hpp"
#include "mesh/mesh.hpp"

#include <cstring>

namespace cli {
namespace {

void append_u32(std::string& out, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>((value >> shift) & 0xffu);
}

void append_f32(std::string& out, float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    append_u32(out, bits);
}

} // namespace

void write_ply(const std::string& path, const Mesh& mesh) {
    std::string out = "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(mesh.positions.size()) +
                      "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
                      std::to_string(mesh.triangles.size()) + "\nproperty list uchar uint vertex_indices\nend_header\n";
    out.reserve(out.size() + 12 * mesh.positions.size() + 13 * mesh.triangles.size());
    for (const Vec3 p : mesh.positions) {
        append_f32(out, p.x);
        append_f32(out, p.y);
        append_f32(out, p.z);
    }
    for (const Triangle& triangle : mesh.triangles) {
        out += '\x03';
        for (const std::uint32_t index : triangle) append_u32(out, index);
    }
    write_file_bytes(path, out);
}

} // namespace cli
