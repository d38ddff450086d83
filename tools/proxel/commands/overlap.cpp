// `proxel overlap`: does a mesh touch or enter a solid?
#include "commands/all.hpp"

namespace cli {
namespace {

class Overlap final : public Query {
    Solid a_;
    Body b_;
    PrxOverlapDef def_ = prx_overlap_def_default();
    PrxOverlap answer_{};

    void takes(CLI::App& app) override {
        takes_solid_and_mesh(app, a_, b_);
        usage::number(app, "--pixels", def_.resolution, "N", "draw B in views of N pixels along a side", {1});
        usage::notes(app, "The answer: overlap is false only if B is proven to stay outside of A.",
                     "proxel overlap a.ply b.ply --pose-b 4,0.5,0,0,0,0,1");
    }

    void ask() override { check(prx_field_overlap(context(), a_.field(), &a_.where, b_.id, &b_.where, &def_, &answer_)); }

    const char* meaning() const {
        if (answer_.overlap == 0) return "proven apart";
        return answer_.certain != 0 ? "proven to touch" : "touching or nearly, within the field's error and a pixel";
    }

    void tell(Answer& out) override { out.add("overlap", answer_.overlap != 0, std::string("(") + meaning() + ")"); }

    Image draw() override {
        View view = view_of({&a_, &b_}, 0.6f);
        const Colour verdict = answer_.overlap == 0 ? palette::green : answer_.certain != 0 ? palette::red : palette::amber;
        view.surfaces.back().colour = view.legend.back().colour = verdict;
        view.legend.back().text += std::string(", ") + meaning();
        view.caption = answer_.overlap == 0 ? "they do not overlap" : "they overlap";
        return draw_sheet({view}, 1);
    }
};

} // namespace

std::unique_ptr<Command> overlap_command() { return std::make_unique<Overlap>(); }

} // namespace cli
