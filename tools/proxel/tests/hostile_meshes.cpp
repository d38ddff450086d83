// Damaged files: every prefix and thousands of random mutations of good ones either read as a valid mesh or fail with a
// message. Run it in a build with -fsanitize=address,undefined to see what it is for.
#include "tests/check.hpp"

#include "failure.hpp"
#include "mesh/formats.hpp"
#include "mesh/shapes.hpp"

#include <cstring>
#include <random>

using namespace cli;

namespace {

using Parser = Mesh (*)(std::string_view, const std::string&);

struct Seed {
    Parser parse;
    std::string bytes;
};

template <class T> void put(std::string& out, T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out.append(bytes, sizeof(T));
}

std::string text_of(const Mesh& mesh, const std::string& before, const std::string& vertex, const std::string& face,
                    unsigned first) {
    std::string out = before;
    for (const Vec3 p : mesh.positions) {
        out += vertex + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
    }
    for (const Triangle& t : mesh.triangles) {
        out += face + std::to_string(t[0] + first) + " " + std::to_string(t[1] + first) + " " +
               std::to_string(t[2] + first) + "\n";
    }
    return out;
}

std::string ply_header(const Mesh& mesh, const std::string& format) {
    return "ply\nformat " + format + " 1.0\nelement vertex " + std::to_string(mesh.positions.size()) +
           "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
           std::to_string(mesh.triangles.size()) + "\nproperty list uchar int vertex_indices\nend_header\n";
}

std::string binary_ply(const Mesh& mesh, const std::string& format) {
    std::string out = ply_header(mesh, format);
    for (const Vec3 p : mesh.positions) put(out, p);
    for (const Triangle& t : mesh.triangles) {
        out += '\x03';
        put(out, t);
    }
    return out;
}

std::string binary_stl(const Mesh& mesh) {
    std::string out(80, ' ');
    put(out, static_cast<std::uint32_t>(mesh.triangles.size()));
    for (const Triangle& t : mesh.triangles) {
        put(out, Vec3{});
        for (const std::uint32_t i : t) put(out, mesh.positions[i]);
        put(out, std::uint16_t{0});
    }
    return out;
}

std::string text_stl(const Mesh& mesh) {
    std::string out = "solid s\n";
    for (const Triangle& t : mesh.triangles) {
        Mesh one;
        for (const std::uint32_t i : t) one.positions.push_back(mesh.positions[i]);
        out += "facet normal 0 0 0\nouter loop\n" + text_of(one, "", "vertex ", "", 0) + "endloop\nendfacet\n";
    }
    return out + "endsolid s\n";
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

bool is_valid(const Mesh& mesh) {
    for (const Vec3 p : mesh.positions) {
        if (!is_finite(p)) return false;
    }
    for (const Triangle& t : mesh.triangles) {
        for (const std::uint32_t i : t) {
            if (i >= mesh.positions.size()) return false;
        }
    }
    return !mesh.triangles.empty();
}

void feed(Parser parse, const std::string& bytes) {
    // A copy of exactly the right size on the heap, so that a sanitizer sees a read of one byte too many.
    const std::vector<char> exact(bytes.begin(), bytes.end());
    try {
        const Mesh mesh = parse(std::string_view(exact.data(), exact.size()), "m");
        CHECK(is_valid(mesh));
    } catch (const Failure& failure) {
        const std::string message = failure.what();
        CHECK((message.size() > 20 && message.size() < 400 && message.substr(0, 1) == "m" && message.back() == '.'));
    }
}

std::string mutated(std::string bytes, std::mt19937& random) {
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    static const std::string interesting[] = {"-1",
                                              "4294967295",
                                              "99999999999999999999",
                                              "nan",
                                              "1e999",
                                              "#",
                                              "\n",
                                              "\r",
                                              "/",
                                              "\\\n",
                                              std::string(1, '\0'),
                                              "\xff\xff\xff\xff",
                                              "\x7f\xff\xff\xff",
                                              "\"nodes\":[",
                                              "}]",
                                              "vertex",
                                              "face",
                                              "list",
                                              "OFF",
                                              "f",
                                              "end_header\n"};
    for (std::size_t n = 1 + below(4); n > 0 && !bytes.empty(); --n) {
        // Half of the hits go to the head of the file, where counts and types are.
        const std::size_t at = below(below(2) == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 300));
        const std::string& token = interesting[below(std::size(interesting))];
        switch (below(6)) {
        case 0: bytes[at] = static_cast<char>(below(256)); break;
        case 1: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8))); break;
        case 2: bytes.erase(at, 1 + below(40)); break;
        case 3: bytes.insert(at, token); break;
        case 4: bytes.replace(at, token.size(), token); break;
        case 5: bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(60))); break;
        }
    }
    return bytes;
}

} // namespace

TEST_CASE("damaged files are read or refused") {
    constexpr int rounds = 3000;
    const Mesh ball = sphere(80);
    const std::string counts =
        std::to_string(ball.positions.size()) + " " + std::to_string(ball.triangles.size()) + " 0\n";
    const Seed seeds[] = {{parse_ply, binary_ply(ball, "binary_little_endian")},
                          {parse_ply, binary_ply(ball, "binary_big_endian")},
                          {parse_ply, text_of(ball, ply_header(ball, "ascii"), "", "3 ", 0)},
                          {parse_obj, text_of(ball, "# o\n", "v ", "f ", 1)},
                          {parse_off, text_of(ball, "OFF\n" + counts, "", "3 ", 0)},
                          {parse_stl, binary_stl(ball)},
                          {parse_stl, text_stl(ball)},
                          {parse_gltf, binary_gltf(ball)}};
    std::mt19937 random(2008);
    for (const Seed& seed : seeds) {
        for (std::size_t cut = 0; cut <= seed.bytes.size(); cut += 1 + seed.bytes.size() / 1500)
            feed(seed.parse, seed.bytes.substr(0, cut));
        for (int round = 0; round < rounds; ++round) feed(seed.parse, mutated(seed.bytes, random));
        // Each file under each other format's name.
        for (const Parser parse : {parse_ply, parse_obj, parse_off, parse_stl, parse_gltf}) feed(parse, seed.bytes);
    }
}

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
