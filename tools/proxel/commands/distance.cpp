// `proxel distance`: how far two meshes are apart, exactly, and where.
#include "commands/all.hpp"

namespace cli {
namespace {

class Distance final : public Query {
    Body a_, b_;
    PrxDistanceDef def_ = prx_distance_def_default();
    PrxDistance answer_{};

    void takes(CLI::App& app) override {
        takes_two_meshes(app, a_, b_);
        usage::choice(app, "--method", def_.method,
                                     {{"auto", PRX_DISTANCE_METHOD_AUTO},
                                      {"hierarchy", PRX_DISTANCE_METHOD_HIERARCHY},
                                      {"margin_hash", PRX_DISTANCE_METHOD_MARGIN_HASH}},
                                     "how to search");
        usage::number(app, "--within", def_.within, "D", "stop when they are farther apart than D, in mesh units", {0}, "none");
        usage::notes(app,
                     "The answer: distance is exact up to rounding, the true one is between lower and upper, and 0 where the meshes\n"
                     "intersect; point_a and point_b are the nearest points in the world, on triangle_a and triangle_b.",
                     "proxel distance a.ply b.ply --pose-b 4,0.5,0,0,0,0,1");
    }

    void read() override { a_.in_doubles = b_.in_doubles = def_.method != PRX_DISTANCE_METHOD_MARGIN_HASH; }

    void ask() override { check(prx_mesh_distance(context(), a_.id, &a_.where, b_.id, &b_.where, &def_, &answer_)); }

    void tell(Answer& out) override {
        out.add("distance", answer_.distance, answer_.intersecting != 0 ? "(they intersect)" : "");
        out.add("lower", answer_.lower);
        out.add("upper", answer_.upper);
        out.add("point_a", answer_.point_a);
        out.add("point_b", answer_.point_b);
        out.add("triangle_a", answer_.triangle_a);
        out.add("triangle_b", answer_.triangle_b);
    }

    Image draw() override {
        View view = view_of({&a_, &b_}, 0.8f);
        if (answer_.triangle_a == PRX_NO_INDEX) {
            view.caption = "at least " + brief(answer_.lower) + " apart";
        } else {
            view.caption = answer_.intersecting != 0 ? "they intersect" : brief(answer_.distance) + " apart";
            mark_nearest(view, point(answer_.point_a), point(answer_.point_b), "nearest points");
        }
        return draw_sheet({view}, 1);
    }
};

} // namespace

std::unique_ptr<Command> distance_command() { return std::make_unique<Distance>(); }

} // namespace cli
