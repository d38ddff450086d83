// The tool from outside, on a real device: what it prints, and its exit codes. Its path is the first argument.
#include "tests/check.hpp"

#include "mesh/file_bytes.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <sys/wait.h>

namespace {

std::string proxel;
std::filesystem::path folder;

struct Outcome {
    int code = -1;
    std::string out;
    std::string err;
};

Outcome run(const std::string& arguments) {
    const std::string err = (folder / "stderr").string();
    const std::string line = "cd '" + folder.string() + "' && '" + proxel + "' " + arguments + " 2>'" + err + "'";
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

double number(const std::string& json, const std::string& key) {
    const std::size_t at = json.find("\"" + key + "\":");
    return at == std::string::npos ? std::nan("") : std::strtod(json.c_str() + at + key.size() + 3, nullptr);
}

void info_tells_the_truth() {
    CHECK(run("shape box --triangles 1200 -o box.ply").code == 0);
    const Outcome box = run("info box.ply --json --repeat 3");
    CHECK(box.code == 0 && box.err.empty());
    CHECK_CONTAINS(box.out, "\"vertices\":602,\"triangles\":1200,\"closed\":true,\"oriented\":true,\"manifold\":true,"
                            "\"bounds_min\":[-1,-1,-1],\"bounds_max\":[1,1,1],");
    CHECK_NEAR(number(box.out, "area"), 24.0, 1e-4);
    CHECK_NEAR(number(box.out, "volume"), 8.0, 1e-4);
    CHECK(number(box.out, "ms") >= 0.0);
    CHECK(box.out.front() == '{' && box.out.substr(box.out.size() - 2) == "}\n");

    cli::write_file_bytes((folder / "open.obj").string(), "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    const Outcome open = run("info open.obj --json");
    CHECK_CONTAINS(open.out, "\"closed\":false,\"oriented\":true,\"manifold\":true");
    CHECK_NEAR(number(open.out, "area"), 1.0, 1e-6);
    CHECK_CONTAINS(run("info open.obj").out, "no (4 border edges)");

    // The same square with a vertex for each corner of each triangle is the same surface.
    cli::write_file_bytes((folder / "split.off").string(),
                          "OFF 6 2 0\n0 0 0\n1 0 0\n1 1 0\n0 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 3 4 5\n");
    CHECK_CONTAINS(run("info split.off").out, "no (4 border edges)");
}

void pictures_are_written() {
    CHECK(run("info box.ply --picture box.png").code == 0);
    CHECK(cli::read_file_bytes((folder / "box.png").string()).substr(1, 3) == "PNG");
    const Outcome nowhere = run("info box.ply --picture nowhere/box.png");
    CHECK(nowhere.code == 1 && nowhere.out.empty());
    CHECK_CONTAINS(nowhere.err, "nowhere/box.png: cannot write it");
}

// Boxes from -1 to 1.
void exact_queries_answer() {
    CHECK(run("shape box --triangles 300 -o a.ply").code == 0);
    const std::string away = " --pose-b 5,0,0,0,0,0,1 ";
    const Outcome distance = run("distance a.ply a.ply --json --repeat 3 --deform --picture distance.png" + away);
    CHECK(distance.code == 0 && distance.err.empty());
    CHECK_NEAR(number(distance.out, "distance"), 3.0, 1e-12);
    CHECK(number(distance.out, "lower") <= 3.0 && number(distance.out, "upper") >= 3.0);
    CHECK_CONTAINS(distance.out, "\"point_a\":[1,");
    CHECK_CONTAINS(distance.out, "\"point_b\":[4,");
    CHECK_CONTAINS(distance.out, "\"triangle_b\":");
    CHECK_CONTAINS(run("distance a.ply a.ply").out, "they intersect");
    CHECK(run("distance a.ply a.ply --method guess").code == 2);

    cli::write_file_bytes((folder / "floor.off").string(), "OFF 3 1 0\n-9 -9 0\n9 -9 0\n0 9 0\n3 0 1 2\n");
    cli::write_file_bytes((folder / "high.off").string(), "OFF 3 1 0\n0 0 3\n1 0 4\n0 1 4\n3 0 1 2\n");
    cli::write_file_bytes((folder / "low.off").string(), "OFF 3 1 0\n0 0 -1\n1 0 0.5\n0 1 0.5\n3 0 1 2\n");
    const Outcome pairs = run("pairs floor.off low.off --json --picture pairs.png");
    CHECK_CONTAINS(pairs.out, "{\"count\":1,\"pairs\":[[0,0]],\"candidates\":");
    CHECK_CONTAINS(run("pairs floor.off high.off --json").out, "{\"count\":0,\"pairs\":[],");
    CHECK_CONTAINS(run("pairs floor.off high.off --distance 3 --json").out, "\"pairs\":[[0,0]]");
    CHECK(run("pairs floor.off low.off --cull visibility").code == 1);
    CHECK(run("pairs floor.off low.off --cull luck").code == 2);
    CHECK_CONTAINS(run("pairs floor.off low.off --distance -1").err, "not negative");

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
    for (const char* name : {"distance.png", "pairs.png", "self.png", "sweep.png"})
        CHECK(cli::read_file_bytes((folder / name).string()).substr(1, 3) == "PNG");
}

void exit_codes_keep_their_word() {
    const Outcome help = run("--help");
    CHECK(help.code == 0 && help.err.empty());
    CHECK_CONTAINS(help.out, "info MESH");
    CHECK(run("info --help").code == 0);
    CHECK(run("").code == 2);
    CHECK(run("inof box.ply").code == 2);
    CHECK_CONTAINS(run("inof box.ply").err, "Did you mean info?");
    CHECK(run("info").code == 2);
    CHECK(run("info box.ply --repeat none").code == 2);
    CHECK(run("shape cone -o cone.ply").code == 2);

    const Outcome missing = run("info missing.ply --json");
    CHECK(missing.code == 1 && missing.out.empty());
    CHECK_CONTAINS(missing.err, "missing.ply: there is no such file");
    const Outcome device = run("info box.ply --device 'no such device'");
    CHECK(device.code == 1 && device.out.empty());
    CHECK_CONTAINS(device.err, "no such device");
    CHECK(run("info box.ply > /dev/full").code == 1);
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 1;
    proxel = argv[1];
    folder = std::filesystem::temp_directory_path() / ("proxel-tool-" + std::to_string(std::random_device{}()));
    std::filesystem::create_directory(folder);
    info_tells_the_truth();
    pictures_are_written();
    exact_queries_answer();
    exit_codes_keep_their_word();
    std::filesystem::remove_all(folder);
    return failures;
}
