// Each format, in each of its dialects, gives the mesh that the file describes; each fault its message.
#include "tests/check.hpp"

#include "failure.hpp"
#include "mesh/file_bytes.hpp"
#include "mesh/formats.hpp"
#include "mesh/shapes.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

using namespace cli;

namespace {

using Parser = Mesh (*)(std::string_view, const std::string&);

std::string complaint(Parser parse, const std::string& text) {
    try {
        parse(text, "m");
    } catch (const Failure& failure) {
        return failure.what();
    }
    return "no complaint";
}

// The unit square in the plane z = 0, as two triangles.
bool is_square(const Mesh& mesh) {
    const std::vector<Triangle> triangles{{0, 1, 2}, {0, 2, 3}};
    const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    if (mesh.triangles != triangles || mesh.positions.size() != corners.size()) return false;
    return std::equal(corners.begin(), corners.end(), mesh.positions.begin(),
                      [](Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; });
}

template <class T> void put(std::string& out, T value, bool big_endian) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T)); // the machines that run this are little-endian
    if (big_endian) std::reverse(bytes, bytes + sizeof(T));
    out.append(bytes, sizeof(T));
}

std::string binary_square(bool big_endian, const std::string& line_end) {
    std::string out;
    for (const char* line :
         {"ply", big_endian ? "format binary_big_endian 1.0" : "format binary_little_endian 1.0", "comment hi",
          "element camera 2", "property list ushort short views", "property double focus", "element vertex 4",
          "property uchar red", "property double x", "property float y", "property int z", "element face 1",
          "property short group", "property list int uint vertex_index", "end_header"}) {
        out += line + line_end;
    }
    for (int camera = 0; camera < 2; ++camera) {
        put<std::uint16_t>(out, 1, big_endian);
        put<std::int16_t>(out, -5, big_endian);
        put<double>(out, 35.0, big_endian);
    }
    const double xs[] = {0, 1, 1, 0};
    const float ys[] = {0, 0, 1, 1};
    for (int i = 0; i < 4; ++i) {
        out += '\x7f';
        put<double>(out, xs[i], big_endian);
        put<float>(out, ys[i], big_endian);
        put<std::int32_t>(out, 0, big_endian);
    }
    put<std::int16_t>(out, 9, big_endian);
    put<std::int32_t>(out, 4, big_endian);
    for (std::uint32_t i = 0; i < 4; ++i) put<std::uint32_t>(out, i, big_endian);
    return out;
}

const std::string text_ply_header =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    "property uchar red\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";

TEST_CASE("ply dialects") {
    CHECK(is_square(parse_ply(text_ply_header + "0 0 0 9\n1 0 0 9\n1 1e0 0 9\n+0 1.000 0.0 9\n4 0 1 2 3", "m")));
    for (const char* line_end : {"\n", "\r\n", "\r"}) {
        CHECK(is_square(parse_ply(binary_square(false, line_end), "m")));
        CHECK(is_square(parse_ply(binary_square(true, line_end), "m")));
    }
}

TEST_CASE("ply in double precision") {
    const std::string text = "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\n"
                             "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
                             "0.1 10000000.000000001 -1e-13\n1 0 0\n0 1 0\n3 0 1 2\n";
    const Mesh mesh = parse_ply(text, "m");
    CHECK((mesh.doubles.size() == 3 && mesh.positions.size() == 3));
    CHECK((mesh.doubles[0] == Place{0.1, 10000000.000000001, -1e-13}));
    CHECK((mesh.positions[0].x == 0.1f && mesh.positions[0].y == 1e7f && mesh.positions[0].z == -1e-13f));
    // One of three is enough, and floats stay floats.
    CHECK(parse_ply(binary_square(true, "\n"), "m").doubles.size() == 4);
    CHECK(parse_ply(text_ply_header + "0 0 0 9\n1 0 0 9\n1 1 0 9\n0 1 0 9\n4 0 1 2 3\n", "m").doubles.empty());
    CHECK_CONTAINS(complaint(parse_ply, text.substr(0, text.find("0.1")) + "1e300 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
                   "vertex 0 has a coordinate that is not a finite 32-bit number");
}

TEST_CASE("ply faults") {
    CHECK_CONTAINS(complaint(parse_ply, ""), "m, line 0: a PLY file begins with ply");
    CHECK_CONTAINS(complaint(parse_ply, "ply\nformat ascii 1.0\n"), "no end_header");
    CHECK_CONTAINS(complaint(parse_ply, "ply\nformat ascii 1.0\nelement vertex 0\nend_header\n"), "no vertices");
    CHECK_CONTAINS(complaint(parse_ply, text_ply_header + "0 0 0 9\n1 0 0 9\n1 1 0 9\n0 1 0 9\n4 0 1 2 4\n"),
                   "m, line 15: a face names vertex 4 (counted from 0), but there are 4 vertices");
    CHECK_CONTAINS(complaint(parse_ply, text_ply_header + "0 0 0 9\n1 0 zero 9\n1 1 0 9\n0 1 0 9\n4 0 1 2 3\n"),
                   "m, line 12: expected a number, found 'zero'");
    CHECK_CONTAINS(complaint(parse_ply, text_ply_header + "0 0 0 9\n1 0 1e39 9\n1 1 0 9\n0 1 0 9\n4 0 1 2 3\n"),
                   "finite");
    CHECK_CONTAINS(complaint(parse_ply, text_ply_header + "0 0 0 9\n1 0 0 9\n1 1 0 9\n0 1 0 9\n2 0 1     \n"),
                   "2 corners");
    const std::string whole = binary_square(false, "\n");
    CHECK_CONTAINS(complaint(parse_ply, whole.substr(0, whole.size() - 1)), "the file ends too early");
    CHECK_CONTAINS(complaint(parse_ply,
                             "ply\nformat binary_little_endian 1.0\nelement vertex 4294967295\nproperty float x\n"
                             "property float y\nproperty float z\nend_header\nabc"),
                   "promises 4294967295 rows");
}

TEST_CASE("obj dialects") {
    const std::string vertices = "# a square\r\nmtllib m.mtl\r\nv 0 0 0\r\nv 1 0 0 1.0\nv 1 1 0 0.5 0.5 0.5\nv\t0 1 "
                                 "0\nvt 0 0\nvn 0 0 1\ng a b\n";
    for (const char* face : {"f 1 2 3 4\n", "f 1/1 2/1 3/1 4/1", "f 1//1 2//1 3//1 4//1 # seen",
                             "f 1/1/1 2/1/1 3/1/1 4/1/1", "f -4 -3 -2 -1", "f 1 2 3\nf -4 3 4", "f 1 2 \\\n3 4"}) {
        CHECK(is_square(parse_obj(vertices + face, "m")));
    }
    CHECK(is_square(parse_obj("f 1 2 3 4\n" + vertices, "m")));
    CHECK_CONTAINS(complaint(parse_obj, vertices + "f 1 2 0"), "OBJ counts from 1");
    CHECK_CONTAINS(complaint(parse_obj, vertices + "f 1 2 5\nf 1 2 3"),
                   "m, line 10: a face names vertex 5, but the file has 4");
    CHECK_CONTAINS(complaint(parse_obj, vertices + "f 1 2 -5"), "only 4 vertices came before it");
    CHECK_CONTAINS(complaint(parse_obj, vertices + "f 1 2"), "2 corners");
    CHECK_CONTAINS(complaint(parse_obj, vertices + "f 1 2 x"), "found 'x'");
    CHECK_CONTAINS(complaint(parse_obj, vertices), "no faces");
    CHECK_CONTAINS(complaint(parse_obj, "v 1 2\n"), "found nothing");
    CHECK_CONTAINS(complaint(parse_obj, "v 1 2 nan\nf 1 1 1\n"), "finite");
    const Mesh tiny = parse_obj("v 1e-60 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "m");
    CHECK(tiny.positions[0].x == 0.0f);
}

std::string stl_facets() {
    const Vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}, {1, 1, 0}, {0, 1, -0.0f}};
    std::string out;
    put<std::uint32_t>(out, 2, false);
    for (int facet = 0; facet < 2; ++facet) {
        for (int i = 0; i < 3; ++i) put<float>(out, 0.0f, false);
        for (int i = 0; i < 3; ++i) {
            const Vec3 p = corners[3 * facet + i];
            put<float>(out, p.x, false);
            put<float>(out, p.y, false);
            put<float>(out, p.z, false);
        }
        put<std::uint16_t>(out, 0, false);
    }
    return out;
}

TEST_CASE("stl dialects") {
    const std::string text =
        "solid a #1\n facet normal 0 0 1\n  OUTER LOOP\n vertex 0 0 0\n vertex 1 0 0\n vertex 1 1 0\n endloop\n "
        "endfacet\n"
        "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 1 0\nvertex 0 1 -0.0\nendloop\nendfacet\nendsolid a\n";
    CHECK(is_square(parse_stl(text, "m")));
    CHECK(is_square(parse_stl(std::string(80, ' ') + stl_facets(), "m")));
    std::string trap = "solid but binary";
    trap.resize(80, ' ');
    CHECK(is_square(parse_stl(trap + stl_facets(), "m")));
    trap[40] = '\0';
    CHECK(is_square(parse_stl(trap + stl_facets() + "trailing bytes", "m")));
    CHECK_CONTAINS(complaint(parse_stl, trap + stl_facets().substr(0, 60)),
                   "promises 2 triangles, which take 184 bytes, but the file has 140");
    CHECK_CONTAINS(complaint(parse_stl, text.substr(0, text.find(" endloop"))), "ends inside a facet");
    CHECK_CONTAINS(complaint(parse_stl, ""), "cut short");
    CHECK_CONTAINS(complaint(parse_stl, "solid nothing\nendsolid\n"), "no vertices");
    CHECK_CONTAINS(complaint(parse_stl, "solid\nfacet normal 0 0 1\nouter loop\nvertex 1 2\n"), "m, line 4");
    CHECK_CONTAINS(complaint(parse_stl, "solid\nvertex 1 2 3\n"), "outside a loop");
}

TEST_CASE("off dialects") {
    const std::string faces = "3 0 1 2 255 0 0\n3 0 2 3\n";
    CHECK(is_square(parse_off("OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n" + faces, "m")));
    CHECK(is_square(parse_off("# c\nOFF 4 1 0 # d\n\n0 0 0\n# e\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3", "m")));
    CHECK(is_square(parse_off("NOFF\n4 2 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 1\n" + faces, "m")));
    CHECK(is_square(parse_off("COFF\r\n4 2 0\r\n0 0 0 255 0 0 255\r\n1 0 0\r\n1 1 0\r\n0 1 0\r\n" + faces, "m")));
    CHECK(is_square(parse_off("OFF4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n" + faces, "m")));
    CHECK_CONTAINS(complaint(parse_off, "hello"), "begins with OFF");
    CHECK_CONTAINS(complaint(parse_off, "4OFF\n"), "not three-dimensional");
    CHECK_CONTAINS(complaint(parse_off, "OFF BINARY\n"), "binary OFF is not supported");
    CHECK_CONTAINS(complaint(parse_off, "OFF\n99999999999 1 0\n0 0 0\n"),
                   "m, line 4: the file ends at vertex 1 of 99999999999");
    CHECK_CONTAINS(complaint(parse_off, "OFF\n-1 1 0\n0 0 0\n"), "negative");
    CHECK_CONTAINS(complaint(parse_off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"),
                   "m, line 6: a face names vertex 3");
    CHECK_CONTAINS(complaint(parse_off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n9000000000 0 1\n"), "found nothing");
}

// The square in `corners.bin` beside it: four points, then the six indices of two triangles, 16 bits each.
std::string gltf_square(const std::string& nodes, const std::string& mode = "4", const std::string& file = "corners.bin") {
    return R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[)" + nodes +
           R"(],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"mode":)" + mode +
           R"(}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},)"
           R"({"bufferView":0,"byteOffset":48,"componentType":5123,"count":)" + (mode == "4" ? "6" : "4") + R"(,"type":"SCALAR"}],)"
           R"("bufferViews":[{"buffer":0,"byteLength":60}],"buffers":[{"byteLength":60,"uri":")" + file + R"("}]})";
}

TEST_CASE("glTF scenes") {
    const auto folder = std::filesystem::temp_directory_path() / ("proxel-gltf-" + std::to_string(std::random_device{}()));
    std::filesystem::create_directories(folder / "inner");
    std::string bin;
    for (const Vec3 p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{0, 1, 0}}) {
        for (const float x : {p.x, p.y, p.z}) put(bin, x, false);
    }
    for (const int i : {0, 1, 2, 0, 2, 3}) put(bin, static_cast<std::uint16_t>(i), false);
    write_file_bytes((folder / "corners.bin").string(), bin);
    const std::string name = (folder / "m.gltf").string();
    CHECK(is_square(parse_gltf(gltf_square(R"({"mesh":0})"), name)));

    // Moved there by the parent and back by the child.
    const std::string moved = R"({"translation":[5,0,0],"scale":[2,2,2],"children":[1]},{"mesh":0,"matrix":[0.5,0,0,0,0,0.5,0,0,0,0,0.5,0,-2.5,0,0,1]})";
    CHECK(is_square(parse_gltf(gltf_square(moved), name)));
    // A quarter turn about z takes x to y, then y to -x: point 2 comes to (-1, 1).
    const Mesh turned = parse_gltf(gltf_square(R"({"mesh":0,"rotation":[0,0,0.70710678118,0.70710678118]})"), name);
    CHECK_NEAR(length(turned.positions.at(2) - Vec3{-1, 1, 0}), 0.0, 1e-6);
    // Behind a mirror, triangles are turned over so that outside stays outside.
    const Mesh mirrored = parse_gltf(gltf_square(R"({"mesh":0,"scale":[-1,1,1]})"), name);
    CHECK(mirrored.triangles == std::vector<Triangle>{{0, 2, 1}, {0, 3, 2}});
    // Indices 0 1 2 0 as a strip: the second triangle is 1 2 0, turned.
    CHECK(parse_gltf(gltf_square(R"({"mesh":0})", "5"), name).triangles == std::vector<Triangle>{{0, 1, 2}, {1, 0, 2}});
    CHECK(parse_gltf(gltf_square(R"({"mesh":0})", "6"), name).triangles == std::vector<Triangle>{{0, 1, 2}, {0, 2, 0}});
    // Two instances come one after the other.
    const Mesh twice = parse_gltf(gltf_square(R"({"mesh":0,"children":[1]},{"mesh":0,"translation":[0,0,7]})"), name);
    CHECK(twice.positions.size() == 8);
    CHECK(twice.positions.at(7).z == 7.0f);
    CHECK(twice.triangles.at(2) == Triangle{4, 5, 6});

    // Files outside of the scene's folder stay closed, through links too.
    const auto refusal = [&](const std::string& text, const std::string& as) {
        try {
            parse_gltf(text, as);
        } catch (const Failure& failure) {
            return std::string(failure.what());
        }
        return std::string("no complaint");
    };
    const std::string inner = (folder / "inner" / "m.gltf").string();
    std::filesystem::create_symlink(folder / "corners.bin", folder / "inner" / "link.bin");
    for (const std::string& file : {std::string("../corners.bin"), (folder / "corners.bin").string(), std::string("link.bin")})
        CHECK_CONTAINS(refusal(gltf_square(R"({"mesh":0})", "4", file), inner), "must be in its own folder");
    CHECK_CONTAINS(refusal(gltf_square(R"({"mesh":3})"), name), "there is no mesh 3");
    CHECK_CONTAINS(refusal("{\"asset\": 1,}", name), "not valid JSON at byte");
    std::string past = gltf_square(R"({"mesh":0})");
    past.replace(past.find(R"("byteOffset":48)"), 15, R"("byteOffset":50)");
    CHECK_CONTAINS(refusal(past, name), "accessor 1 has 6 elements, more than its buffer");
    std::filesystem::remove_all(folder);
}

bool same_bits(const Mesh& a, const Mesh& b) {
    return a.triangles == b.triangles && a.positions.size() == b.positions.size() &&
           std::memcmp(a.positions.data(), b.positions.data(), a.positions.size() * sizeof(Vec3)) == 0;
}

TEST_CASE("written files read back") {
    const auto folder = std::filesystem::temp_directory_path();
    const std::string stem = (folder / ("proxel-mesh-" + std::to_string(std::random_device{}()))).string();
    const Mesh mesh = knot(3000);
    for (const char* ending : {".ply", ".obj", ".off", ".STL"}) {
        const std::string path = stem + ending;
        write_mesh(path, mesh);
        const Mesh back = read_mesh(path);
        std::filesystem::remove(path);
        if (std::string(ending) != ".STL") {
            CHECK(same_bits(back, mesh));
            continue;
        }
        // STL has no indices: the corners are the same.
        CHECK(back.positions.size() == mesh.positions.size());
        REQUIRE(back.triangles.size() == mesh.triangles.size());
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            for (std::size_t k = 0; k < 3; ++k)
                CHECK(length(back.positions[back.triangles[t][k]] - mesh.positions[mesh.triangles[t][k]]) == 0.0f);
        }
    }
    CHECK(!can_write_mesh("mesh.png"));
    const auto about = [](const std::string& file) {
        return complaint([](std::string_view p, const std::string&) { return read_mesh(std::string(p)); }, file);
    };
    CHECK_CONTAINS(about(stem + ".ply"), "there is no such file");
    CHECK_CONTAINS(about("mesh.fbx"), "ends in .ply, .obj, .stl, .off, .glb or .gltf");
}

} // namespace
