// `proxel pairs`: the triangles of two meshes that intersect, or that are near each other.
#include "commands/all.hpp"
#include "commands/culling.hpp"

namespace cli {
namespace {

class Pairs final : public Query {
    Body a_, b_;
    double distance_ = 0.0;
    PrxCullDef def_ = prx_cull_def_default();
    Listed<PrxPair> pairs_;
    PrxCullStats stats_{};

    void takes(CLI::App& app) override {
        takes_two_meshes(app, a_, b_);
        usage::number(app, "--distance", distance_, "D", "pairs at most D apart, in mesh units; 0 for those that intersect", {0});
        takes_culling(app, def_);
        usage::notes(app,
                     "The answer: pairs are a triangle of A and one of B, counted from 0 in the files' order; candidates is how many\n"
                     "pairs of triangles were compared.",
                     "proxel pairs a.ply b.ply --pose-b 0.3,0,0,0,0,0,1 --picture pairs.png");
    }

    void read() override { a_.in_doubles = b_.in_doubles = def_.method != PRX_CULL_METHOD_VISIBILITY; }

    void ask() override {
        check(pairs_.fill([&](auto* out, auto room, auto* count) {
            return prx_mesh_pairs_culled(context(), a_.id, &a_.where, b_.id, &b_.where, distance_, &def_, out, room, count, &stats_);
        }));
    }

    void tell(Answer& out) override {
        out.add("count", pairs_.count());
        out.add_list("pairs", pairs_.pairs([](const PrxPair& p) { return std::array{p.triangle_a, p.triangle_b}; }));
        out.add("candidates", stats_.candidates);
    }

    Image draw() override {
        View view = view_of({&a_, &b_}, 0.6f);
        view.caption = std::to_string(pairs_.count()) + (pairs_.count() == 1 ? " pair" : " pairs") + " of triangles";
        bool intersecting = false;
        bool apart = false;
        for (const PrxPair& pair : pairs_) {
            (pair.distance > 0.0 ? apart : intersecting) = true;
            view.marks.push_back({Mark::Kind::segment, point(pair.segment[0]), point(pair.segment[1]),
                                  pair.distance > 0.0 ? palette::violet : palette::red, 5.0f});
        }
        if (intersecting) view.legend.push_back({palette::red, "where they intersect"});
        if (apart) view.legend.push_back({palette::violet, "nearest points"});
        return draw_sheet({view}, 1);
    }
};

} // namespace

std::unique_ptr<Command> pairs_command() { return std::make_unique<Pairs>(); }

} // namespace cli
