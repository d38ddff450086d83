// `proxel sweep`: the first contact of two meshes while each vertex goes straight from one place to another.
#include "commands/all.hpp"
#include "commands/motion.hpp"

namespace cli {
namespace {

const char* kind_name(std::uint32_t kind) {
    switch (kind) {
    case PRX_IMPACT_KIND_START: return "start";
    case PRX_IMPACT_KIND_VERTEX_FACE: return "vertex-face";
    case PRX_IMPACT_KIND_FACE_VERTEX: return "face-vertex";
    case PRX_IMPACT_KIND_EDGE_EDGE: return "edge-edge";
    default: return "none";
    }
}

std::vector<std::uint32_t> feature(const std::uint32_t (&indices)[2]) {
    std::vector<std::uint32_t> used;
    for (const std::uint32_t index : indices) {
        if (index != PRX_NO_INDEX) used.push_back(index);
    }
    return used;
}

class Sweep final : public Query {
    Body a0_, a1_, b0_, b1_;
    PrxSweepDef def_ = prx_sweep_def_default();
    PrxImpact impact_{};

    void takes(CLI::App& app) override {
        takes_body(app, a0_, "A0", "a mesh where it begins");
        takes_body(app, a1_, "A1", "the same mesh where it ends");
        takes_body(app, b0_, "B0", "another mesh where it begins");
        takes_body(app, b1_, "B1", "and where it ends");
        takes_deform(app, {&b0_, &b1_}, "B's");
        for (Body* body : {&a0_, &a1_, &b0_, &b1_}) body->in_doubles = true;
        usage::number(app, "--tolerance", def_.tolerance, "D", "closer than D is a contact, in mesh units", {0},
                      "a millionth of the larger mesh");
        usage::notes(app,
                     "The answer: toi is the time of impact, 0 at the beginning and 1 at the end; feature_a and feature_b are a triangle,\n"
                     "a vertex or an edge's two vertices, as kind tells.",
                     "proxel sweep a0.ply a1.ply b.ply b.ply --picture impact.png");
    }

    void ask() override { check(prx_mesh_sweep(context(), a0_.id, a1_.id, b0_.id, b1_.id, &def_, &impact_)); }

    void tell(Answer& out) override {
        out.add("hit", impact_.hit != 0);
        out.add("toi", impact_.time);
        out.add("kind", kind_name(impact_.kind));
        out.add("feature_a", feature(impact_.feature_a));
        out.add("feature_b", feature(impact_.feature_b));
    }

    Image draw() override {
        const bool hit = impact_.hit != 0;
        const float time = hit ? static_cast<float>(impact_.time) : 1.0f;
        const Mesh a = at_time(a0_.mesh, a1_.mesh, time);
        const Mesh b = at_time(b0_.mesh, b1_.mesh, time);
        View view = view_of({&a0_, &b0_}, 0.6f);
        view.surfaces[0].mesh = &a;
        view.surfaces[1].mesh = &b;
        view.caption = hit ? std::string(kind_name(impact_.kind)) + " at time " + brief(impact_.time) : "they do not touch";
        mark_paths(view, a0_.mesh, a1_.mesh, time);
        mark_paths(view, b0_.mesh, b1_.mesh, time);
        if (!view.marks.empty()) view.legend.push_back({palette::faint_ink, "paths of vertices"});
        if (hit) {
            view.marks.push_back({Mark::Kind::dot, point(impact_.point_a), {}, palette::red, 18.0f});
            view.legend.push_back({palette::red, "first contact"});
        }
        return draw_sheet({view}, 1);
    }
};

} // namespace

std::unique_ptr<Command> sweep_command() { return std::make_unique<Sweep>(); }

} // namespace cli
