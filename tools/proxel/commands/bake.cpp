// `proxel bake`: the signed distance field of a mesh, in a file.
#include "commands/all.hpp"
#include "commands/baked.hpp"
#include "commands/field_picture.hpp"
#include "commands/reply.hpp"
#include "picture/png.hpp"
#include "terminal/spelling.hpp"
#include "terminal/timing.hpp"

#include <filesystem>

namespace cli {
namespace {

const Option output{"-o", "FILE.prxf", "the file to write; FILE.nrrd for plain distances that other tools read", true};
const Option resolution{"--resolution", "N", "cells along the domain's longest side (default 64)"};
const Option padding{"--padding", "X", "length around the mesh's box (default a tenth of its longest side)"};
const Option format{"--format", "LIST", "f32 or f16, and direction or sparse, with commas (default f32)"};

// Sets what a word of --format names; each of the two choices can be made once.
void apply(const std::string& word, PrxFieldDef& def, bool& has_precision, bool& has_storage) {
    const bool is_precision = word == "f32" || word == "f16";
    if (!is_precision && word != "direction" && word != "sparse") {
        throw WrongUsage("--format has no '" + word + "'." +
                         did_you_mean(word, {"f32", "f16", "direction", "sparse"}));
    }
    bool& taken = is_precision ? has_precision : has_storage;
    if (taken) {
        throw WrongUsage(is_precision ? "--format takes one of f32 and f16, once."
                                      : "--format takes one of direction and sparse, once.");
    }
    taken = true;
    if (word == "f16") def.precision = PRX_PRECISION_F16;
    if (word == "direction") def.storage = PRX_STORAGE_DIRECTION;
    if (word == "sparse") def.storage = PRX_STORAGE_SPARSE;
}

PrxFieldDef read_def(const Arguments& arguments) {
    PrxFieldDef def = prx_field_def_default();
    const long long cells = arguments.whole(resolution, def.resolution, 1);
    if (cells > 65535) throw WrongUsage("--resolution takes at most 65535, not " + std::to_string(cells) + ".");
    def.resolution = static_cast<std::uint32_t>(cells);
    if (arguments.has(padding)) {
        const double length = arguments.number(padding, 0.0);
        if (length < 0.0) throw WrongUsage("--padding takes a length from 0, not " + *arguments.text(padding) + ".");
        def.padding = static_cast<float>(length);
    }
    const std::string list = arguments.text(format).value_or("f32");
    bool has_precision = false;
    bool has_storage = false;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t comma = std::min(list.find(',', at), list.size());
        apply(list.substr(at, comma - at), def, has_precision, has_storage);
        at = comma + 1;
    }
    return def;
}

void run(const Arguments& arguments) {
    const std::string& path = arguments.operand(0);
    const std::string target = arguments.required_text(output);
    const std::string ending = std::filesystem::path(target).extension().string();
    if (ending != ".prxf" && ending != ".nrrd")
        throw WrongUsage("bake writes .prxf and .nrrd files: -o takes a name that ends so, not '" + target + "'.");
    const long long repeats = arguments.whole(options::repeat, 1, 1);
    const PrxFieldDef def = read_def(arguments);
    const Mesh mesh = read_mesh(path);
    const Session session(arguments);
    const PrxMesh id = session.upload(mesh, path);

    Baked baked(session);
    double ms = 0.0;
    {
        const Interrupt interrupt;
        Progress progress("baking");
        ms = median_milliseconds(repeats, [&] { baked.bake(id, def, progress, interrupt); });
    }
    PrxFieldInfo info{};
    session.check(prx_field_info(session.context(), baked.field(), &info));
    session.check(prx_field_save(session.context(), baked.field(), target.c_str()));
    if (const auto picture = arguments.text(options::picture)) {
        write_png(*picture, draw_field(session, baked.field(), std::filesystem::path(path).filename().string()));
    }

    Answer answer;
    answer.add("resolution", std::array<std::uint32_t, 3>{info.grid.nodes[0], info.grid.nodes[1], info.grid.nodes[2]},
               "nodes");
    answer.add("bytes", info.device_bytes, "on the device");
    answer.add("lower_bound_error", info.error,
               info.sign == PRX_SIGN_WINDING ? "(inside by winding numbers: the mesh is no clean solid)" : "");
    answer.add("ms", ms);
    reply(answer, arguments);
}

} // namespace

Command bake_command() {
    return {"bake",
            "Bake a mesh's signed distance field into a file",
            {{"MESH", "a PLY, OBJ, STL or OFF file"}},
            {output, resolution, padding, format, options::picture, options::json, options::repeat, options::device},
            run,
            "The answer: resolution is the nodes along x, y and z; bytes is what the field takes on the device;\n"
            "lower_bound_error bounds how far a sampled distance is from the exact one, anywhere in the domain."};
}

} // namespace cli
