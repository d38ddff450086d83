// The tool from outside, on a real device: what it prints, and its exit codes.
#include "tests/check.hpp"

#include "answer.hpp"
#include "mesh/file_bytes.hpp"
#include "mesh/shapes.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <vector>
#include <sys/wait.h>

namespace {

// A folder of this run, with the cube from -1 to 1 and an open square in it.
struct Folder {
    std::filesystem::path path = std::filesystem::temp_directory_path() / ("proxel-tool-" + std::to_string(std::random_device{}()));

    Folder() {
        std::filesystem::create_directory(path);
        cli::write_mesh((path / "box.ply").string(), cli::box(1200));
        cli::write_file_bytes((path / "open.obj").string(), "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    }
    ~Folder() { std::filesystem::remove_all(path); }
};
const Folder made;
const std::filesystem::path& folder = made.path;

struct Outcome {
    int code = -1;
    std::string out;
    std::string err;
};

// `before` goes before the tool's name, such as `timeout 3`.
Outcome run(const std::string& arguments, const std::string& before = "") {
    const std::string err = (folder / "stderr").string();
    const std::string line =
        "cd '" + folder.string() + "' && " + before + " '" PROXEL_TOOL "' " + arguments + " 2>'" + err + "'";
    Outcome outcome;
    std::FILE* pipe = popen(line.c_str(), "r");
    if (pipe == nullptr) return outcome;
    std::array<char, 4096> buffer{};
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
        outcome.out.append(buffer.data(), n);
    const int status = pclose(pipe);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome.err = cli::read_file_bytes(err);
    return outcome;
}

double number(const std::string& json, const std::string& key) { return cli::Json::parse(json).at(key).get<double>(); }

// All numbers of a list, and of the lists in it.
std::vector<double> numbers(const std::string& json, const std::string& key) {
    std::vector<double> out;
    const cli::Json flat = cli::Json::parse(json).at(key).flatten();
    for (const cli::Json& value : flat) out.push_back(value.get<double>());
    return out;
}

TEST_CASE("info tells the truth") {
    const Outcome box = run("info box.ply --json --repeat 3");
    CHECK((box.code == 0 && box.err.empty()));
    CHECK_CONTAINS(box.out, "\"vertices\":602,\"triangles\":1200,\"closed\":true,\"oriented\":true,\"manifold\":true,"
                            "\"bounds_min\":[-1.0,-1.0,-1.0],\"bounds_max\":[1.0,1.0,1.0],");
    CHECK_NEAR(number(box.out, "area"), 24.0, 1e-4);
    CHECK_NEAR(number(box.out, "volume"), 8.0, 1e-4);
    CHECK(number(box.out, "ms") >= 0.0);
    CHECK((box.out.front() == '{' && box.out.substr(box.out.size() - 2) == "}\n"));

    const Outcome open = run("info open.obj --json");
    CHECK_CONTAINS(open.out, "\"closed\":false,\"oriented\":true,\"manifold\":true");
    CHECK_NEAR(number(open.out, "area"), 1.0, 1e-6);
    CHECK_CONTAINS(run("info open.obj").out, "no (4 border edges)");

    // The same square with a vertex for each corner of each triangle is the same surface.
    cli::write_file_bytes((folder / "split.off").string(),
                          "OFF 6 2 0\n0 0 0\n1 0 0\n1 1 0\n0 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 3 4 5\n");
    CHECK_CONTAINS(run("info split.off").out, "no (4 border edges)");
}

TEST_CASE("pictures are written") {
    CHECK(run("info box.ply --picture box.png").code == 0);
    CHECK(cli::read_file_bytes((folder / "box.png").string()).substr(1, 3) == "PNG");
    const Outcome nowhere = run("info box.ply --picture nowhere/box.png");
    CHECK((nowhere.code == 1 && nowhere.out.empty()));
    CHECK_CONTAINS(nowhere.err, "nowhere/box.png: cannot write it");
}

TEST_CASE("names in any script") {
    CHECK(run("shape box --triangles 300 -o 'Würfel 立方体.ply' --picture 'Würfel 立方体.png'").code == 0);
    CHECK(cli::read_file_bytes((folder / std::filesystem::u8path("Würfel 立方体.png")).u8string()).substr(1, 3) == "PNG");
    const Outcome info = run("info 'Würfel 立方体.ply' --json");
    CHECK((info.code == 0 && info.err.empty()));
    CHECK_NEAR(number(info.out, "volume"), 8.0, 1e-4);
    CHECK(run("bake 'Würfel 立方体.ply' --resolution 8 -o 'Würfel 立方体.prxf'").code == 0);
    cli::write_file_bytes((folder / "below.txt").string(), "0.9 0 0\n"); // near one face, where distance is linear
    CHECK_NEAR(numbers(run("sample 'Würfel 立方体.prxf' below.txt --json").out, "distance").at(0), -0.1, 1e-3);
    CHECK_CONTAINS(run("info 'Kein Würfel.ply'").err, "Kein Würfel.ply: there is no such file");
}

// Boxes from -1 to 1.
TEST_CASE("exact queries answer") {
    CHECK(run("shape box --triangles 300 -o a.ply").code == 0);
    const std::string away = " --pose-b 5,0,0,0,0,0,1 ";
    const Outcome distance = run("distance a.ply a.ply --json --repeat 3 --deform --picture distance.png" + away);
    CHECK((distance.code == 0 && distance.err.empty()));
    CHECK_NEAR(number(distance.out, "distance"), 3.0, 1e-12);
    CHECK((number(distance.out, "lower") <= 3.0 && number(distance.out, "upper") >= 3.0));
    CHECK_CONTAINS(distance.out, "\"point_a\":[1.0,");
    CHECK_CONTAINS(distance.out, "\"point_b\":[4.0,");
    CHECK_CONTAINS(distance.out, "\"triangle_b\":");
    CHECK_CONTAINS(run("distance a.ply a.ply").out, "they intersect");
    CHECK(run("distance a.ply a.ply --method guess").code == 2);

    // A box of two units less what it shares with one that is moved by half of that.
    const Outcome shared = run("volume a.ply a.ply --exact --json --picture shared.png --operation difference --boundary rest.ply --pose-b 1,0,0,0,0,0,1");
    CHECK((shared.code == 0 && shared.err.empty()));
    CHECK_NEAR(number(shared.out, "volume"), 4.0, 1e-12);
    CHECK_NEAR(number(run("info rest.ply --json").out, "volume"), 4.0, 1e-6);
    CHECK_CONTAINS(run("volume a.ply a.ply --boundary rest.ply").err, "--boundary needs --exact");
    const Outcome touching = run("volume a.ply a.ply --exact --contacts --points 1 --json --picture touching.png --pose-b 1.5,0.5,0.5,0,0,0,1");
    // Of the block's three faces in the other box: 2.25, 0.75 and 0.75.
    CHECK_CONTAINS(touching.out, "\"normal\":[0.904534");
    CHECK_CONTAINS(touching.out, "\"patch\":0}");
    CHECK_CONTAINS(run("volume a.ply a.ply --contacts").err, "--contacts needs --exact");

    cli::write_file_bytes((folder / "floor.off").string(), "OFF 3 1 0\n-9 -9 0\n9 -9 0\n0 9 0\n3 0 1 2\n");
    cli::write_file_bytes((folder / "high.off").string(), "OFF 3 1 0\n0 0 3\n1 0 4\n0 1 4\n3 0 1 2\n");
    cli::write_file_bytes((folder / "low.off").string(), "OFF 3 1 0\n0 0 -1\n1 0 0.5\n0 1 0.5\n3 0 1 2\n");
    const Outcome pairs = run("pairs floor.off low.off --json --picture pairs.png");
    CHECK_CONTAINS(pairs.out, "{\"count\":1,\"pairs\":[[0,0]],\"candidates\":");
    CHECK_CONTAINS(run("pairs floor.off high.off --json").out, "{\"count\":0,\"pairs\":[],");
    CHECK_CONTAINS(run("pairs floor.off high.off --distance 3 --json").out, "\"pairs\":[[0,0]]");
    for (const char* how : {"bvh", "none", "visibility", "visibility --path conservative --viewport 16"}) {
        const std::string culled = run("pairs floor.off low.off --json --cull " + std::string(how)).out;
        CHECK_CONTAINS(culled, "{\"count\":1,\"pairs\":[[0,0]],\"candidates\":1,");
        CHECK_CONTAINS(run("cull floor.off low.off high.off --json --cull " + std::string(how)).out,
                       "{\"colliding\":[0,1],\"pairs\":[[0,1]],");
    }
    CHECK_CONTAINS(run("cull floor.off high.off --distance 3 --json --picture cull.png").out, "\"pairs\":[[0,1]]");
    CHECK(run("cull floor.off low.off --poses missing.txt").code == 1);
    CHECK(run("pairs floor.off low.off --cull luck").code == 2);
    CHECK_CONTAINS(run("pairs floor.off low.off --distance -1").err, "--distance takes a number from 0, not '-1'");

    CHECK_CONTAINS(run("self a.ply --json --picture self.png").out, "{\"count\":0,\"pairs\":[],\"ms\":");
    cli::write_file_bytes((folder / "cross.off").string(),
                          "OFF 6 2 0\n-9 -9 0\n9 -9 0\n0 9 0\n0 0 -1\n1 0 1\n0 1 1\n3 0 1 2\n3 3 4 5\n");
    CHECK_CONTAINS(run("self cross.off --json").out, "{\"count\":1,\"pairs\":[[0,1]],");

    const Outcome sweep = run("sweep floor.off floor.off high.off low.off --json --picture sweep.png");
    CHECK_CONTAINS(sweep.out, "{\"hit\":true,\"toi\":");
    CHECK_CONTAINS(sweep.out, "\"kind\":\"face-vertex\",\"feature_a\":[0],\"feature_b\":[0],");
    CHECK_NEAR(number(sweep.out, "toi"), 0.75, 1e-4);
    CHECK_CONTAINS(run("sweep floor.off floor.off high.off high.off --json").out, "{\"hit\":false,\"toi\":null,\"kind\":\"none\"");
    CHECK_CONTAINS(run("sweep floor.off a.ply high.off low.off").err, "a0 and a1");

    // All that meets: the corner and its edges with the floor, and the part of the way that is free.
    const Outcome impacts = run("impacts floor.off floor.off high.off low.off --json --picture impacts.png");
    CHECK_CONTAINS(impacts.out, "{\"step\":");
    CHECK_CONTAINS(impacts.out, "\"vertex_face\":[],\"face_vertex\":[[0,0]],\"edge_edge\":[],\"times\":[");
    CHECK_NEAR(number(impacts.out, "step"), 0.75, 1e-3);
    CHECK_EQ(number(impacts.out, "step"), number(impacts.out, "earliest"));
    CHECK_CONTAINS(run("impacts floor.off floor.off high.off high.off --json").out, "{\"step\":1.0,\"earliest\":null,\"count\":0,");
    CHECK_EQ(run("impacts floor.off floor.off").code, 2);

    // Near: the corner that hangs above the floor, and nothing of a box that is closer to itself than its cells are.
    const Outcome close = run("near floor.off low.off --pose-b 0,0,1.5,0,0,0,1 --thickness 0.6 --json --picture near.png");
    CHECK_CONTAINS(close.out, "{\"count\":1,\"vertex_face\":[],\"face_vertex\":[[0,0]],\"edge_edge\":[],\"distances\":[0.5],\"ms\":");
    CHECK_CONTAINS(run("near box.ply --self --thickness 0.01 --json").out, "{\"count\":0,\"vertex_face\":[],\"edge_edge\":[],\"distances\":[],");
    CHECK_EQ(run("near box.ply --self --thickness 0.3 --rings 2 --rest box.ply --json").code, 0);
    CHECK_EQ(number(run("near box.ply --self --thickness 0.3 --rest box.ply --json").out, "count"), 0.0);
    CHECK_EQ(run("near box.ply --self").code, 2);
    CHECK_EQ(run("near box.ply --thickness 1").code, 2);
    CHECK_EQ(run("near box.ply box.ply --self --thickness 1").code, 2);
    // Two cubes of side 2, moved by 1.5, 1 and 0.5: a block of 0.5 x 1 x 1.5 is shared.
    CHECK(run("shape box --triangles 12 -o block.ply").code == 0);
    const Outcome volume = run("volume block.ply block.ply --pose-b 1.5,1,0.5,0,0,0,1 --resolution 64 --json --picture volume.png");
    CHECK_CONTAINS(volume.out, "{\"volume\":0.7");
    CHECK_NEAR(number(volume.out, "volume"), 0.75, 1e-4);
    CHECK((number(volume.out, "lower") <= 0.75 && number(volume.out, "upper") >= 0.75));
    CHECK_NEAR(numbers(volume.out, "centroid").at(0), 0.75, 1e-4);
    CHECK_CONTAINS(run("volume block.ply block.ply --rays sideways").err, "sideways");
    CHECK(run("volume block.ply block.ply --resolution 0").code == 2);
    CHECK(run("volume block.ply block.ply --resolution 9999").code == 1);
    cli::write_file_bytes((folder / "points.txt").string(), "0 0 0\n0.99 0.99 -0.99\n1.01 0 0\n5 5 5\n");
    CHECK_CONTAINS(run("contains block.ply points.txt --json --picture contains.png").out, "{\"inside\":[1,1,0,0],\"count\":2,\"ms\":");
    CHECK_CONTAINS(run("contains block.ply points.txt --pose-a 5,5,5,0,0,0,1 --json").out, "{\"inside\":[0,0,0,1],\"count\":1,");
    const Outcome depths = run("contains block.ply points.txt --depth --json --picture depths.png");
    CHECK_CONTAINS(depths.out, "{\"inside\":[1,1,0,0],\"count\":2,\"deepest\":1");
    CHECK_NEAR(numbers(depths.out, "depth").at(1), 0.01, 1e-6);
    CHECK_EQ(numbers(depths.out, "depth").at(3), 0.0);
    for (const char* name : {"depths.png", "distance.png", "pairs.png", "cull.png", "self.png", "sweep.png", "impacts.png", "near.png", "volume.png", "contains.png"})
        CHECK(cli::read_file_bytes((folder / name).string()).substr(1, 3) == "PNG");
}

// The cube from -1 to 1 and a tenth of its side around it: 24 cells of a tenth.
TEST_CASE("fields are baked and sampled") {
    cli::write_file_bytes((folder / "points.txt").string(), "0.3 0.1 -0.2\n1.1,0,0\n# a comment\n0 -1.15 0.2\n5 0 0\n");
    const double exact[] = {-0.7, 0.1, 0.15};
    for (const std::string format : {"f32", "f16", "direction", "f16,direction", "sparse", "f16,sparse"}) {
        const Outcome baked = run("bake box.ply -o box.prxf --resolution 24 --json --format " + format);
        CHECK((baked.code == 0 && baked.err.empty()));
        CHECK(baked.out.find("{\"resolution\":[") == 0);
        const std::vector<double> nodes = numbers(baked.out, "resolution");
        CHECK((nodes.size() == 3 && nodes[0] == 25 && nodes[1] == 25 && nodes[2] == 25));
        const double error = number(baked.out, "lower_bound_error");
        CHECK((number(baked.out, "bytes") >= 1000 && number(baked.out, "ms") > 0.0));
        // A distance changes by no more than a point moves: half the diagonal of a cell, or of a brick of eight.
        const double cells = format.find("sparse") == std::string::npos ? 1.01 : 8.01;
        CHECK((error > 0.0 && error < std::sqrt(3.0) / 2 * 0.1 * cells));
        const Outcome sampled = run("sample box.prxf points.txt --json --repeat 2");
        CHECK((sampled.code == 0 && sampled.err.empty()));
        const std::vector<double> distance = numbers(sampled.out, "distance");
        CHECK((distance.size() == 4 && numbers(sampled.out, "direction").size() == 12));
        for (std::size_t i = 0; i < 3; ++i) CHECK_NEAR(distance.at(i), exact[i], error + 0.01);
        CHECK((distance.at(3) <= 4.0 && distance.at(3) > 3.5)); // outside the domain it is a lower bound
        CHECK(number(sampled.out, "ms") > 0.0);
    }
    CHECK(run("sample box.prxf points.txt --picture sample.png").code == 0);
    CHECK(cli::read_file_bytes((folder / "sample.png").string()).substr(1, 3) == "PNG");
    CHECK_CONTAINS(run("sample box.prxf points.txt").out, "1 outside the field's domain");

    const Outcome wide = run("bake box.ply -o box.nrrd --resolution 30 --padding 0.5 --json");
    CHECK(numbers(wide.out, "resolution") == std::vector<double>(3, 31.0));
    CHECK(cli::read_file_bytes((folder / "box.nrrd").string()).substr(0, 8) == "NRRD0004");
    CHECK_NEAR(numbers(run("sample box.nrrd points.txt --json").out, "distance").at(1), 0.1, 0.01);
}

TEST_CASE("a field can be seen") {
    CHECK(run("bake box.ply -o box.prxf --resolution 16 --picture field.png").code == 0);
    CHECK(cli::read_file_bytes((folder / "field.png").string()).substr(1, 3) == "PNG");
}

TEST_CASE("fields that cannot be are told") {
    cli::write_file_bytes((folder / "points.txt").string(), "0 0 0\n");
    const Outcome open = run("bake open.obj -o open.prxf --json");
    CHECK((open.code == 1 && open.out.empty() && !std::filesystem::exists(folder / "open.prxf")));
    CHECK_CONTAINS(open.err, "encloses nothing");
    CHECK(run("bake box.ply").code == 2);
    for (const char* wrong :
         {"--format f64", "--format f32,f16", "--format sparse,direction", "--format ''", "--format f16,",
          "--resolution 0", "--resolution 65536", "--padding -1", "--padding nan", "--padding 1e999"})
        CHECK(run(std::string("bake box.ply -o x.prxf ") + wrong).code == 2);
    CHECK_CONTAINS(run("bake box.ply -o x.prxf --format direktion").err, "Did you mean direction?");
    const Outcome fine = run("bake box.ply -o x.prxf --resolution 65535");
    CHECK((fine.code == 1 && !std::filesystem::exists(folder / "x.prxf")));
    CHECK_CONTAINS(fine.err, "coarser");
    CHECK_CONTAINS(run("bake box.ply -o nowhere/x.prxf --resolution 4").err, "nowhere/x.prxf");

    const Outcome mesh = run("sample box.ply points.txt");
    CHECK((mesh.code == 1 && mesh.out.empty()));
    CHECK_CONTAINS(mesh.err, "proxel bake box.ply");
    CHECK_CONTAINS(run("sample missing.prxf points.txt").err, "missing.prxf");
    CHECK(run("bake box.ply -o box.prxf --resolution 4").code == 0);
    std::filesystem::resize_file(folder / "box.prxf", std::filesystem::file_size(folder / "box.prxf") - 1);
    const Outcome cut = run("sample box.prxf points.txt --json");
    CHECK((cut.code == 1 && cut.out.empty()));
    CHECK_CONTAINS(cut.err, "truncated");
    CHECK(run("sample box.prxf").code == 2);
}

// The cube from -1 to 1, and another on it that is moved aside and a hundredth too low: they share a rectangle.
TEST_CASE("contacts are listed and go on") {
    CHECK(run("shape box --triangles 12 -o block.ply").code == 0);
    const std::string resting = "contacts block.ply block.ply --pose-b 0.5,1.99,0.3,0,0,0,1 --field-resolution 64 --json ";
    const Outcome first = run(resting + "--repeat 2 --deform --picture contacts.png > last.json && cat last.json");
    CHECK((first.code == 0 && first.err.empty()));
    CHECK(cli::read_file_bytes((folder / "contacts.png").string()).substr(1, 3) == "PNG");
    const cli::Json answer = cli::Json::parse(first.out);
    const cli::Json& contacts = answer.at("contacts");
    CHECK((contacts.size() >= 4 && answer.at("patches") == 1 && answer.at("raw").get<std::size_t>() >= contacts.size()));
    CHECK((answer.at("ended").empty() && number(first.out, "ms") > 0.0));
    double low[2] = {9, 9}, high[2] = {-9, -9};
    for (const cli::Json& c : contacts) {
        const auto a = c.at("point_a").get<std::array<double, 3>>(), b = c.at("point_b").get<std::array<double, 3>>();
        const auto normal = c.at("normal").get<std::array<double, 3>>();
        const double separation = c.at("separation").get<double>();
        CHECK_NEAR(separation, -0.01, 1e-4);
        CHECK((c.at("lower").get<double>() <= -0.01 && c.at("upper").get<double>() >= -0.01));
        CHECK_NEAR(normal[1], 1.0, 1e-3);
        CHECK_NEAR(a[1], 1.0, 1e-4);
        CHECK_NEAR(b[1], 0.99, 1e-4);
        for (std::size_t k = 0; k < 3; ++k) CHECK_NEAR(b[k] - a[k], separation * normal[k], 1e-5);
        for (const std::size_t k : {0, 1}) low[k] = std::min(low[k], b[2 * k]), high[k] = std::max(high[k], b[2 * k]);
        CHECK((c.at("on") == "a" || c.at("on") == "b"));
        CHECK((c.at("triangle") < 12 && c.at("patch") == 0 && c.at("previous") == -1 && c.at("area") > 0.0));
        CHECK(c.at("key").get<std::string>().size() == 18);
    }
    // From -0.5 to 1 along x, from -0.7 to 1 along z.
    CHECK_NEAR(low[0], -0.5, 0.02);
    CHECK_NEAR(low[1], -0.7, 0.02);
    CHECK_NEAR(high[0], 1.0, 0.02);
    CHECK_NEAR(high[1], 1.0, 0.02);

    const cli::Json again = cli::Json::parse(run(resting + "--previous last.json").out);
    CHECK((again.at("contacts").size() == contacts.size() && again.at("ended").empty()));
    for (std::size_t i = 0; i < contacts.size(); ++i) CHECK(again.at("contacts")[i].at("previous") == i);
    const cli::Json away = cli::Json::parse(run("contacts block.ply block.ply --pose-b 9,0,0,0,0,0,1 --field-resolution 16 --previous last.json --json").out);
    CHECK((away.at("contacts").empty() && away.at("ended").size() == contacts.size()));
    CHECK_CONTAINS(run("contacts block.ply block.ply --pose-b 0.5,1.99,0.3,0,0,0,1").out, "(the deepest has a separation of -0.01");

    // A square that encloses nothing, a hundredth under the cube's side.
    const std::string square = "contacts block.ply open.obj --pose-b 0,0,0.99,0,0,0,1 --field-resolution 16 ";
    CHECK_CONTAINS(run(square).err, "encloses nothing");
    const cli::Json one_sided = cli::Json::parse(run(square + "--one-sided --points 0 --json").out);
    CHECK(one_sided.at("contacts").size() == one_sided.at("raw"));
    CHECK(one_sided.at("contacts").size() >= 4);
    for (const cli::Json& c : one_sided.at("contacts")) CHECK((c.at("on") == "b" && std::abs(c.at("separation").get<double>() + 0.01) < 1e-4));

    CHECK(run("contacts block.ply block.ply --points 33").code == 2);
    CHECK(run("contacts block.ply block.ply --distance -1").code == 2);
    for (const char* wrong : {"{", "{}", "{\"contacts\":[{\"key\":\"?\"}]}", "{\"contacts\":[{\"key\":\"0x1\",\"on\":\"a\",\"triangle\":12,\"barycentric\":[1,0,0]}]}"}) {
        cli::write_file_bytes((folder / "wrong.json").string(), wrong);
        const Outcome refused = run("contacts block.ply block.ply --field-resolution 4 --previous wrong.json");
        CHECK((refused.code == 1 && refused.out.empty()));
        CHECK_CONTAINS(refused.err, "wrong.json: ");
    }
}

TEST_CASE("an interrupted bake writes nothing") {
    CHECK(run("shape knot --triangles 100000 -o knot.ply").code == 0);
    // Ctrl-C as soon as the tool listens for it. As a job of its own: a shell's other children ignore the signal.
    const std::string interrupted = R"sh(bash -c 'set -m; "$@" & tool=$!
        caught() { sed -n "s/^SigCgt:\t//p" /proc/$tool/status; }
        while [ -n "$(jobs -r)" ] && [ $((0x0$(caught) & 2)) = 0 ]; do sleep 0.01; done
        kill -INT $tool; wait $tool' bash)sh";
    const Outcome stopped = run("bake knot.ply -o knot.prxf --resolution 400", interrupted);
    CHECK((stopped.code == 1 && stopped.out.empty()));
    CHECK_CONTAINS(stopped.err, "stopped; nothing was written");
    CHECK(!std::filesystem::exists(folder / "knot.prxf"));
}

TEST_CASE("exit codes keep their word") {
    const Outcome help = run("--help");
    CHECK((help.code == 0 && help.err.empty()));
    CHECK_CONTAINS(help.out, "info  ");
    CHECK(run("info --help").code == 0);
    CHECK(run("").code == 2);
    CHECK(run("inof box.ply").code == 2);
    CHECK_CONTAINS(run("inof box.ply").err, "Did you mean info?");
    CHECK(run("info").code == 2);
    CHECK(run("info box.ply --repeat none").code == 2);
    CHECK(run("shape cone -o cone.ply").code == 2);

    const Outcome missing = run("info missing.ply --json");
    CHECK((missing.code == 1 && missing.out.empty()));
    CHECK_CONTAINS(missing.err, "missing.ply: there is no such file");
    const Outcome device = run("info box.ply --device 'no such device'");
    CHECK((device.code == 1 && device.out.empty()));
    CHECK_CONTAINS(device.err, "no such device");
    CHECK(run("info box.ply > /dev/full").code == 1);
    CHECK(run("--help > /dev/full").code == 1);
}

// As root the tool once removed /dev/full after failing to write to it, and from then on every write there went well.
TEST_CASE("a full device is told and stays") {
    const Outcome picture = run("info box.ply --picture /dev/full");
    CHECK((picture.code == 1 && picture.out.empty()));
    CHECK_CONTAINS(picture.err, "/dev/full: writing stopped half way");
    CHECK(std::filesystem::is_character_file("/dev/full"));
    CHECK(run("self box.ply --json > /dev/full").code == 1);
}

TEST_CASE("endless input is refused") {
    for (const char* words : {"contains box.ply /dev/zero", "cull box.ply --poses /dev/zero"}) {
        const Outcome endless = run(words);
        CHECK((endless.code == 1 && endless.out.empty()));
        CHECK_CONTAINS(endless.err, "/dev/zero: larger than the 1 GiB");
    }
    CHECK_CONTAINS(run("contains box.ply /dev/stdin --json", "echo 0 0 0 |").out, "{\"inside\":[1],");
    CHECK_CONTAINS(run("contains box.ply .").err, "folder");
}

TEST_CASE("no file has a name of another format") {
    CHECK(run("shape box --triangles 12 -o b.obj").code == 0);
    CHECK(cli::read_file_bytes((folder / "b.obj").string()).substr(0, 2) == "v ");
    CHECK(run("shape box -o b.jpg").code == 2);
    CHECK(run("info box.ply --picture b.jpg").code == 1);
    CHECK(run("bake box.ply -o b.ply").code == 2);
    for (const char* name : {"b.jpg", "b.ply"}) CHECK(!std::filesystem::exists(folder / name));
}

// Drivers crash when memory ends, the library never; scripts/starve tries more limits.
TEST_CASE("too little memory ends with a message") {
    for (const char* kilobytes : {"5000", "100000", "400000", "700000", "800000"}) {
        const Outcome outcome = run("volume box.ply box.ply --pose-b 0.5,0,0,0,0,0,1", "ulimit -v " + std::string(kilobytes) + " && ");
        INFO(kilobytes, ": ", outcome.code, " ", outcome.err);
        CHECK((outcome.code == 0 || outcome.code == 1 || outcome.code == 127));
        CHECK((outcome.code == 0 || !outcome.err.empty()));
        CHECK(outcome.err.find("in proxel") == std::string::npos);
        CHECK(outcome.err.find("in libproxel") == std::string::npos);
    }
}

} // namespace
