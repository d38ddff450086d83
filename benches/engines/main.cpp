// A scene of examples/scenes in Jolt or Bullet: method=proxel, pieces (Jolt, with convex pieces by CoACD up to `concavity`) or gimpact (Bullet).
// A turn is the next part of the scene; each has as many turns as `rounds` says. The report also has how deep anything was in anything else at the
// turn's end, measured on triangles.
#include "contestant.hpp"

#include "scene.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>

namespace {

// Pieces are kept in files, named after the mesh and the concavity: to cut takes up to minutes.
std::vector<cli::Mesh> pieces_of(const cli::Mesh& mesh, const std::string& concavity) {
    std::uint64_t hash = 14695981039346656037u; // FNV-1a
    const auto add = [&](const void* data, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 1099511628211u;
    };
    add(mesh.positions.data(), mesh.positions.size() * sizeof mesh.positions[0]);
    add(mesh.triangles.data(), mesh.triangles.size() * sizeof mesh.triangles[0]);
    const std::filesystem::path folder = std::filesystem::path(ROOT) / "target/bench/pieces" / (std::to_string(hash) + "-" + concavity);
    if (!std::filesystem::exists(folder)) {
        const std::filesystem::path fresh = folder.string() + ".new";
        std::filesystem::create_directories(fresh);
        cli::write_mesh((fresh / "whole.off").string(), mesh);
        const std::string command = "\"" ROOT "/target/venv/bin/python\" \"" ROOT "/benches/convex_pieces.py\" \"" + fresh.string() + "\" " + concavity + " 1>&2";
        if (std::system(command.c_str()) != 0) throw std::runtime_error("benches/convex_pieces.py failed, its message is on stderr");
        std::filesystem::rename(fresh, folder);
    }
    std::vector<cli::Mesh> pieces;
    for (int i = 0; std::filesystem::exists(folder / ("piece" + std::to_string(i) + ".off")); ++i)
        pieces.push_back(cli::read_mesh((folder / ("piece" + std::to_string(i) + ".off")).string()));
    return pieces;
}

scenes::MakeWorld make_by(const contest::Arguments& arguments, std::size_t& pieces) {
    const std::string method = arguments.text("method");
    if (method == "gimpact") return scenes::gimpact_world;
    if (method == "pieces") {
        return [&pieces, concavity = arguments.text("concavity")](const proxel::Context& context, const scenes::Settings& settings) {
            return scenes::jolt_pieces_world(context, settings, [&pieces, concavity](const cli::Mesh& mesh) {
                auto found = pieces_of(mesh, concavity);
                pieces += found.size();
                return found;
            });
        };
    }
    return arguments.text("engine") == "Jolt" ? scenes::jolt_world : scenes::bullet_world;
}

} // namespace

int main(int count, char** words) {
    return contest::main(count, words, [](const contest::Arguments& arguments) {
        const std::string wanted = arguments.text("scene");
        const scenes::Choice choice{static_cast<int>(arguments.number("bodies", 0)), {}};
        const proxel::Context context = proxel::Context::open().value();
        std::size_t pieces = 0;
        const scenes::MakeWorld make = make_by(arguments, pieces);
        for (const scenes::Named& named : scenes::all()) {
            if (wanted != named.name) continue;
            scenes::Scene scene = named.make(make, context, choice);
            const long steps = std::max(1L, scene.steps / arguments.number("rounds"));
            contest::compete(arguments.text("method") + " on " + context.info().value().device_name + ", " + std::to_string(pieces) + " pieces",
                             [&](const contest::Turn&) {
                                 contest::Sample sample{contest::seconds_of([&] {
                                                            for (long i = 0; i < steps; ++i) scene.step();
                                                        }) /
                                                        static_cast<double>(steps)};
                                 sample.calls = steps;
                                 sample.extra = "\"deepest\": " + std::to_string(scene.world->depth());
                                 return sample;
                             });
            return;
        }
        throw std::runtime_error("there is no scene '" + wanted + "'");
    });
}
