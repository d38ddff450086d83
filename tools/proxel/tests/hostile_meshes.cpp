// Files that are made to harm. Random damage to files of every format is in cpp-tests/fuzz/files.
#include "tests/check.hpp"

#include "failure.hpp"
#include "mesh/formats.hpp"
#include "mesh/shapes.hpp"

#include <cstring>

using namespace cli;

namespace {

template <class T> void put(std::string& out, T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out.append(bytes, sizeof(T));
}

// One buffer with positions, then indices; a node that instances the mesh twice.
std::string binary_gltf(const Mesh& mesh) {
    std::string bin;
    for (const Vec3 p : mesh.positions) put(bin, p);
    const std::size_t split = bin.size();
    for (const Triangle& t : mesh.triangles) put(bin, t);
    const std::string points = std::to_string(mesh.positions.size()), corners = std::to_string(3 * mesh.triangles.size());
    std::string json = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"children":[1]},)"
                       R"({"mesh":0,"translation":[3,0,0]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],)"
                       R"("accessors":[{"bufferView":0,"componentType":5126,"count":)" + points +
                       R"(,"type":"VEC3"},{"bufferView":1,"componentType":5125,"count":)" + corners +
                       R"(,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":)" + std::to_string(split) +
                       R"(},{"buffer":0,"byteOffset":)" + std::to_string(split) + R"(,"byteLength":)" +
                       std::to_string(bin.size() - split) + R"(}],"buffers":[{"byteLength":)" + std::to_string(bin.size()) + "}]}";
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string out = "glTF";
    for (const std::size_t n : {std::size_t{2}, 28 + json.size() + bin.size(), json.size()}) put(out, static_cast<std::uint32_t>(n));
    out += "JSON" + json;
    put(out, static_cast<std::uint32_t>(bin.size()));
    return out + std::string("BIN\0", 4) + bin;
}

} // namespace

// Short files that would make a careless reader build, or walk, something huge.
TEST_CASE("glTF files that grow are refused") {
    const auto refusal = [](const std::string& json) {
        try {
            parse_gltf(json, "m");
        } catch (const Failure& failure) {
            return std::string(failure.what());
        }
        return std::string("no complaint");
    };
    const std::string begin = R"({"asset":{"version":"2.0"},)";
    CHECK_CONTAINS(refusal(begin + R"("extras":)" + std::string(5000000, '[')), "nested deeper than 32");
    std::string nodes = R"("nodes":[{})";
    for (int i = 0; i < 1000001; ++i) nodes += ",{}";
    CHECK_CONTAINS(refusal(begin + nodes + "]}"), "more than a million objects");
    // Every level twice: a walk of 2^40 steps.
    std::string doubled = R"("scenes":[{"nodes":[0]}],"nodes":[)";
    for (int i = 1; i < 40; ++i) doubled += R"({"children":[)" + std::to_string(i) + "," + std::to_string(i) + "]},";
    CHECK_CONTAINS(refusal(begin + doubled + "{}]}"), "has two parents");
    CHECK_CONTAINS(refusal(begin + R"("scenes":[{"nodes":[0]}],"nodes":[{"children":[0]}]})"), "has two parents");
    CHECK_CONTAINS(refusal(begin + R"("buffers":[{"byteLength":4000000000,"uri":"a"},{"byteLength":4000000000,"uri":"a"}]})"), "4 GiB in all");
    CHECK_CONTAINS(refusal(begin + R"("buffers":[{"byteLength":100}]})"), "the binary chunk has 0");
    CHECK_CONTAINS(refusal(begin + R"("buffers":[{"byteLength":100,"uri":"/etc/passwd"}]})"), "must be in its own folder");
    CHECK_CONTAINS(refusal(begin + R"("extensionsRequired":["KHR_draco_mesh_compression"]})"), "KHR_draco_mesh_compression");
    CHECK_CONTAINS(refusal(R"({"asset":{"version":"2.0"}})"), "no vertices");
    // One mesh, in twenty thousand places.
    std::string ball = binary_gltf(sphere(20000));
    const std::size_t at = ball.find(R"("children":[1])");
    std::string many;
    for (int i = 0; i < 20000; ++i) many += R"(},{"mesh":0)";
    std::string roots = "0";
    for (int i = 1; i < 20000; ++i) roots += "," + std::to_string(i);
    ball.insert(at - 1, many);
    ball.replace(ball.find(R"("nodes":[0])"), 11, R"("nodes":[)" + roots + "]");
    const auto json_size = static_cast<std::uint32_t>(ball.find(std::string("BIN\0", 4)) - 4 - 20);
    std::memcpy(ball.data() + 12, &json_size, 4);
    CHECK_CONTAINS(refusal(ball), "in all instances");
}
