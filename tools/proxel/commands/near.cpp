// `proxel near`: the vertices and faces, and the edges, of two meshes or of one that are closer than a thickness.
#include "commands/all.hpp"
#include "commands/feature_lists.hpp"

#include <algorithm>

namespace cli {
namespace {

constexpr std::uint64_t most_drawn = 30000;

class Near final : public Query {
    Body a_;
    OptionalBody b_, rest_;
    bool self_ = false;
    PrxNearDef def_ = prx_near_def_default();
    Listed<PrxNearPair> pairs_;

    void takes(CLI::App& app) override {
        takes_body(app, a_, "A", "a mesh", "--pose-a");
        takes_optional_body(app, b_, "B", "another mesh, or none with --self", "--pose-b");
        usage::flag(app, "--self", self_, "compare A with itself");
        usage::number(app, "--thickness", def_.thickness, "D", "pairs closer than D, in mesh units; it must be given", {0}, "none");
        usage::number(app, "--rings", def_.rings, "N", "with --self: leave out what at most N edges join", {0, 16});
        takes_optional_body(app, rest_, "--rest", "with --self: leave out what is closer than D in this file, the same mesh at rest");
        takes_deform(app, {&b_}, "B's (with --self A's)");
        a_.in_doubles = b_.in_doubles = rest_.in_doubles = true;
        usage::notes(app,
                     "The answer: vertex_face are a vertex of A and a triangle of B, face_vertex a vertex of B and a triangle of A, edge_edge the\n"
                     "two vertices of each edge, the lower first; with --self all are of A. distances are in the order of these three lists.",
                     "proxel near cloth.ply --self --thickness 0.01 --rings 1 --picture near.png");
    }

    void read() override {
        if (def_.thickness <= 0.0) throw WrongUsage("--thickness is missing: pairs closer than that are listed.");
        if (self_ == b_.is_given()) throw WrongUsage(self_ ? "--self compares A with itself: B is one too many." : "B is missing, or --self.");
        if (!self_ && (rest_.is_given() || def_.rings > 0)) throw WrongUsage("--rings and --rest go with --self.");
    }

    void prepare() override {
        def_.rest = rest_.id;
        if (self_) deforms({&a_});
    }

    void ask() override {
        check(pairs_.fill([&](auto* out, auto room, auto* count) {
            return self_ ? prx_mesh_near_self(context(), a_.id, &def_, out, room, count)
                         : prx_mesh_near(context(), a_.id, &a_.where, b_.id, &b_.where, &def_, out, room, count);
        }));
    }

    void tell(Answer& out) override {
        add_features(out, pairs_, !self_);
        std::vector<double> distances;
        for (const PrxNearPair& pair : pairs_) distances.push_back(pair.distance);
        out.add_list("distances", distances);
    }

    Image draw() override {
        View view = self_ ? view_of({&a_}, 0.6f) : view_of({&a_, &b_}, 0.6f);
        view.caption = std::to_string(pairs_.count()) + (pairs_.count() == 1 ? " pair" : " pairs") + " closer than " + brief(def_.thickness);
        if (def_.rings > 0) view.caption += ", neighbours within " + std::to_string(def_.rings) + (def_.rings == 1 ? " ring" : " rings") + " left out";
        const Body& other = self_ ? a_ : b_;
        // Millions of marks take minutes to draw and hide each other.
        const std::uint64_t step = pairs_.count() / most_drawn + 1;
        if (step > 1) view.caption += "; one of " + std::to_string(step) + " is drawn";
        std::array<bool, 2> seen{};
        const float width = pairs_.count() > 20000 ? 1.5f : pairs_.count() > 500 ? 3.0f : 5.0f;
        for (std::uint64_t k = 0; k < pairs_.count(); k += step) {
            const PrxNearPair& pair = pairs_.begin()[k];
            const bool edges = pair.kind == PRX_IMPACT_KIND_EDGE_EDGE;
            seen[edges] = true;
            const auto [p, q] = weighted_points(pair, a_.mesh, other.mesh);
            const Vec3 from = place(a_.pose, p);
            const Vec3 to = place(other.pose, q);
            const Colour colour = edges ? palette::red : palette::violet;
            view.marks.push_back({Mark::Kind::segment, from, to, colour, width});
            for (const Vec3 end : {from, to}) view.marks.push_back({Mark::Kind::dot, end, end, colour, 1.6f * width});
        }
        if (seen[0]) view.legend.push_back({palette::violet, "vertex and face"});
        if (seen[1]) view.legend.push_back({palette::red, "two edges"});
        return draw_sheet({view}, 1);
    }
};

} // namespace

std::unique_ptr<Command> near_command() { return std::make_unique<Near>(); }

} // namespace cli
