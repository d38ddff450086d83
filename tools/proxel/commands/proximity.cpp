// `proxel proximity`: the point of a mesh that is nearest to a solid, or deepest inside it.
#include "commands/all.hpp"

namespace cli {
namespace {

class Proximity final : public Query {
    Solid a_;
    Body b_;
    PrxProximityDef def_ = prx_proximity_def_default();
    PrxProximity answer_{};

    void takes(CLI::App& app) override {
        takes_solid_and_mesh(app, a_, b_);
        usage::number(app, "--tolerance", def_.tolerance, "X", "split triangles that are larger than X, in mesh units", {},
                      "the field's own");
        usage::notes(app,
                     "The answer: distance is signed, negative inside A; the exact one is between lower and upper. in_domain tells\n"
                     "whether the point is in the box that A's field covers.",
                     "proxel proximity a.ply b.ply --pose-b 1.8,0.3,0,0,0,0,1 --picture nearest.png");
    }

    void ask() override { check(prx_field_proximity(context(), a_.field(), &a_.where, b_.id, &b_.where, &def_, &answer_)); }

    void tell(Answer& out) override {
        out.add("distance", answer_.distance, answer_.penetrating != 0 ? "(B is inside A)" : "");
        out.add("lower", answer_.lower);
        out.add("upper", answer_.upper);
        out.add("point_a", answer_.point_field);
        out.add("point_b", answer_.point_mesh);
        out.add("triangle_b", answer_.triangle);
        out.add("in_domain", answer_.in_domain != 0, answer_.in_domain != 0 ? "" : "(only lower and upper hold)");
    }

    Image draw() override {
        const bool inside = answer_.distance < 0.0f;
        View view = view_of({&a_, &b_}, 0.6f);
        mark_nearest(view, point(answer_.point_field), point(answer_.point_mesh), inside ? "deepest point" : "nearest points");
        view.caption = brief(std::fabs(answer_.distance)) + (inside ? " deep" : " apart") + "; signed, between " + brief(answer_.lower) +
                       " and " + brief(answer_.upper);
        return draw_sheet({view}, 1);
    }
};

} // namespace

std::unique_ptr<Command> proximity_command() { return std::make_unique<Proximity>(); }

} // namespace cli
