// `proxel bake`: the signed distance field of a mesh, in a file.
#include "commands/all.hpp"
#include "commands/field_picture.hpp"

namespace cli {
namespace {

const std::vector<std::string> format_words{"f32", "f16", "direction", "sparse"};

// Sets what the words of --format name; each of the two choices can be made once.
void apply_format(const std::string& list, PrxFieldDef& def) {
    bool taken[2] = {false, false};
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t comma = std::min(list.find(',', at), list.size());
        const std::size_t word = usage::parse_choice("--format", list.substr(at, comma - at), format_words);
        if (std::exchange(taken[word / 2], true)) {
            throw WrongUsage(word < 2 ? "--format takes one of f32 and f16, once." : "--format takes one of direction and sparse, once.");
        }
        if (word == 1) def.precision = PRX_PRECISION_F16;
        if (word == 2) def.storage = PRX_STORAGE_DIRECTION;
        if (word == 3) def.storage = PRX_STORAGE_SPARSE;
        at = comma + 1;
    }
}

class Bake final : public Query {
    Body body_;
    std::string target_;
    PrxFieldDef def_ = prx_field_def_default();
    Baked baked_;
    PrxFieldInfo info_{};
    std::optional<Interrupt> interrupt_;
    std::optional<Progress> progress_;

    void takes(CLI::App& app) override {
        takes_body(app, body_, "MESH", mesh_files);
        usage::output(app, target_, "FILE.prxf", "the file to write; FILE.nrrd for plain distances that other tools read");
        usage::number(app, "--resolution", def_.resolution, "N", "cells along the domain's longest side", {1, 65535});
        usage::number(app, "--padding", def_.padding, "X", "space around the mesh's box, in mesh units", {0}, "a tenth of its longest side");
        usage::word(app, "--format", "LIST", "f32 or f16, and direction or sparse, with commas (default f32)",
                    [this](const std::string& list) { apply_format(list, def_); });
        usage::notes(app,
                     "The answer: resolution is the nodes along x, y and z; bytes is what the field takes on the device;\n"
                     "lower_bound_error bounds how far a sampled distance is from the exact one, anywhere in the domain.",
                     "proxel bake a.ply -o a.prxf --resolution 96 --format f16,direction");
    }

    void read() override {
        if (!is_field_file(target_))
            throw WrongUsage("bake writes .prxf and .nrrd files: -o takes a name that ends so, not '" + target_ + "'.");
    }

    void prepare() override {
        interrupt_.emplace();
        progress_.emplace("baking");
    }

    bool warms_up() const override { return false; }

    void ask() override { baked_.bake(session(), body_.id, def_, *progress_, *interrupt_); }

    void tell(Answer& out) override {
        progress_.reset();
        interrupt_.reset();
        check(prx_field_info(context(), baked_.field(), &info_));
        check(prx_field_save(context(), baked_.field(), target_.c_str()));
        out.add("resolution", info_.grid.nodes, "nodes");
        out.add("bytes", info_.device_bytes, "on the device");
        out.add("lower_bound_error", info_.error,
                info_.sign == PRX_SIGN_WINDING ? "(inside by winding numbers: the mesh is not a clean solid)" : "");
    }

    Image draw() override { return draw_field(session(), baked_.field(), body_.name()); }
};

} // namespace

std::unique_ptr<Command> bake_command() { return std::make_unique<Bake>(); }

} // namespace cli
