// `proxel impacts`: all vertices and faces, and edges, that meet while vertices go straight from one place to another.
#include "commands/all.hpp"
#include "commands/feature_lists.hpp"
#include "commands/motion.hpp"

#include <algorithm>
#include <limits>

namespace cli {
namespace {

class Impacts final : public Query {
    Body a0_, a1_;
    OptionalBody b0_, b1_;
    bool self_ = false;
    PrxImpactsDef def_ = prx_impacts_def_default();
    Listed<PrxFeatureImpact> impacts_;

    void takes(CLI::App& app) override {
        takes_body(app, a0_, "A0", "a mesh where it begins");
        takes_body(app, a1_, "A1", "the same mesh where it ends");
        takes_optional_body(app, b0_, "B0", "another mesh where it begins, or none with --self");
        takes_optional_body(app, b1_, "B1", "and where it ends");
        usage::flag(app, "--self", self_, "compare A with itself");
        usage::number(app, "--separation", def_.separation, "S", "what comes this close meets, in mesh units", {0});
        takes_deform(app, {&b0_, &b1_}, "B's (with --self A's)");
        for (Body* body : {&a0_, &a1_}) body->in_doubles = true;
        for (Body* body : {&b0_, &b1_}) body->in_doubles = true;
        usage::notes(app,
                     "The answer: step is the part of the motion, from 0 to 1, that is proved to be free of impacts; earliest the time of the first\n"
                     "impact. vertex_face are a vertex of A and a triangle of B, face_vertex a vertex of B and a triangle of A, edge_edge the two\n"
                     "vertices of each edge, the lower first; with --self all are of A. times are in the order of these three lists.",
                     "proxel impacts cloth0.ply cloth1.ply --self --picture impacts.png");
    }

    void read() override {
        const bool both = b0_.is_given() && b1_.is_given();
        if (self_ && b0_.is_given()) throw WrongUsage("--self compares A with itself: B0 is one too many.");
        if (!self_ && !both) throw WrongUsage("B0 and B1 are missing, or --self.");
    }

    void prepare() override {
        if (self_) deforms({&a0_, &a1_});
    }

    void ask() override {
        check(impacts_.fill([&](auto* out, auto room, auto* count) {
            return self_ ? prx_mesh_impacts_self(context(), a0_.id, a1_.id, &def_, out, room, count)
                         : prx_mesh_impacts(context(), a0_.id, a1_.id, b0_.id, b1_.id, &def_, out, room, count);
        }));
    }

    double earliest() const {
        double time = std::numeric_limits<double>::infinity();
        for (const PrxFeatureImpact& impact : impacts_) time = std::min(time, impact.time);
        return time;
    }

    void tell(Answer& out) override {
        out.add("step", std::min(earliest(), 1.0));
        out.add("earliest", earliest());
        add_features(out, impacts_, !self_);
        std::vector<double> times;
        for (const PrxFeatureImpact& impact : impacts_) times.push_back(impact.time);
        out.add_list("times", times);
    }

    Image draw() override {
        const Mesh& other0 = self_ ? a0_.mesh : b0_.mesh;
        const Mesh& other1 = self_ ? a1_.mesh : b1_.mesh;
        const float time = static_cast<float>(std::min(earliest(), 1.0));
        const Mesh a = at_time(a0_.mesh, a1_.mesh, time);
        const Mesh b = at_time(other0, other1, time);
        View view = self_ ? view_of({&a0_}, 0.6f) : view_of({&a0_, &b0_}, 0.6f);
        view.surfaces[0].mesh = &a;
        if (!self_) view.surfaces[1].mesh = &b;
        view.caption = std::to_string(impacts_.count()) + (impacts_.count() == 1 ? " impact" : " impacts") + "; free until " + brief(time);
        mark_paths(view, a0_.mesh, a1_.mesh, time);
        if (!self_) mark_paths(view, other0, other1, time);
        if (!view.marks.empty()) view.legend.push_back({palette::faint_ink, "paths of vertices"});
        for (const PrxFeatureImpact& impact : impacts_) {
            const Vec3 begin = weighted_points(impact, a0_.mesh, other0)[0];
            const Vec3 end = weighted_points(impact, a1_.mesh, other1)[0];
            const Vec3 p = lerp(begin, end, static_cast<float>(impact.time));
            const bool first = impact.time <= earliest();
            view.marks.push_back({Mark::Kind::dot, p, p, first ? palette::red : palette::violet, first ? 18.0f : 10.0f});
        }
        if (impacts_.count() > 0) view.legend.push_back({palette::red, "first impact"});
        if (impacts_.count() > 1) view.legend.push_back({palette::violet, "later impacts"});
        return draw_sheet({view}, 1);
    }
};

} // namespace

std::unique_ptr<Command> impacts_command() { return std::make_unique<Impacts>(); }

} // namespace cli
