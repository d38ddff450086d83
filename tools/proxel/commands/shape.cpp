// `proxel shape`: a closed mesh by formula, for trying the tool where no mesh is at hand.
#include "commands/all.hpp"
#include "mesh/shapes.hpp"
#include "picture/png.hpp"

namespace cli {
namespace {

class Shape final : public Command {
    using Formula = Mesh (*)(std::size_t);

    Formula formula_ = nullptr;
    std::string name_, path_;
    std::uint32_t triangles_ = 20000;

public:
    void declare(CLI::App& app) override {
        static const std::vector<std::pair<std::string, Formula>> shapes{
            {"sphere", sphere}, {"box", box}, {"torus", torus}, {"knot", knot}, {"rabbit", rabbit}};
        const auto choose = [this](const std::string& word) {
            std::vector<std::string> names;
            for (const auto& entry : shapes) names.push_back(entry.first);
            name_ = word;
            formula_ = shapes[usage::parse_choice("shape", word, names)].second;
        };
        usage::word(app, "NAME", " ", "sphere, box, torus, knot or rabbit", choose, true);
        usage::output(app, path_, "FILE", "the file to write: .ply, .obj, .stl or .off");
        usage::number(app, "--triangles", triangles_, "N", "about how many triangles", {1, 1e8});
        declare_output(app);
        usage::notes(app, "Shapes are about 2 mesh units wide, around the origin.", "proxel shape knot -o knot.ply --triangles 5000");
    }

    void run() override {
        if (!can_write_mesh(path_)) throw WrongUsage("-o takes a name that ends in .ply, .obj, .stl or .off, not '" + path_ + "'.");
        const Mesh mesh = formula_(triangles_);
        write_mesh(path_, mesh);
        if (!picture_.empty()) {
            View view;
            view.title = name_;
            view.caption = std::to_string(mesh.triangles.size()) + " triangles";
            view.surfaces = {{&mesh, {}, palette::blue, 1.0f, {}}};
            write_png(picture_, draw_sheet({view}, 1));
        }
        Answer answer;
        answer.add("vertices", mesh.positions.size());
        answer.add("triangles", mesh.triangles.size());
        reply(answer);
    }
};

} // namespace

std::unique_ptr<Command> shape_command() { return std::make_unique<Shape>(); }

} // namespace cli
