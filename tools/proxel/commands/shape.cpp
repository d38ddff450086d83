// `proxel shape`: a closed mesh by formula, for trying the tool where no mesh is at hand.
#include "commands/all.hpp"
#include "commands/reply.hpp"
#include "mesh/shapes.hpp"
#include "picture/png.hpp"
#include "picture/sheet.hpp"
#include "terminal/spelling.hpp"

#include <filesystem>
#include <map>

namespace cli {
namespace {

const Option output{"-o", "FILE.ply", "the file to write", true};
const Option triangles{"--triangles", "N", "about how many triangles (default 20000)"};

const std::map<std::string, Mesh (*)(std::size_t)>& shapes() {
    static const std::map<std::string, Mesh (*)(std::size_t)> all{
        {"sphere", sphere}, {"box", box}, {"torus", torus}, {"knot", knot}, {"rabbit", rabbit}};
    return all;
}

void run(const Arguments& arguments) {
    const std::string& name = arguments.operand(0);
    const auto found = shapes().find(name);
    if (found == shapes().end()) {
        std::vector<std::string> known;
        for (const auto& entry : shapes()) known.push_back(entry.first);
        throw WrongUsage("there is no shape '" + name + "'." + did_you_mean(name, known));
    }
    const std::string path = arguments.required_text(output);
    if (std::filesystem::path(path).extension() != ".ply")
        throw WrongUsage("shape writes PLY: -o takes a name that ends in .ply, not '" + path + "'.");
    const long long wish = arguments.whole(triangles, 20000, 1);
    if (wish > 100'000'000) throw WrongUsage("--triangles takes at most 100000000, not " + std::to_string(wish) + ".");

    const Mesh mesh = found->second(static_cast<std::size_t>(wish));
    write_ply(path, mesh);
    if (const auto picture = arguments.text(options::picture)) {
        View view;
        view.title = name;
        view.caption = std::to_string(mesh.triangles.size()) + " triangles";
        view.surfaces = {{&mesh, {}, palette::blue, 1.0f, {}}};
        write_png(*picture, draw_sheet({view}, 1));
    }
    Answer answer;
    answer.add("vertices", mesh.positions.size());
    answer.add("triangles", mesh.triangles.size());
    reply(answer, arguments);
}

} // namespace

Command shape_command() {
    return {"shape",
            "Write a closed mesh made by a formula",
            {{"NAME", "sphere, box, torus, knot or rabbit"}},
            {output, triangles, options::picture, options::json},
            run};
}

} // namespace cli
