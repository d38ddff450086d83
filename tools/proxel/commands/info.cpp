// `proxel info`: what can be said about a mesh before any query.
#include "commands/all.hpp"

namespace cli {
namespace {

std::string counted(std::uint32_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

// What keeps the surface from being a solid's, in words.
std::string faults(const PrxMeshFacts& facts) {
    std::string out;
    const auto mention = [&](std::uint32_t count, const char* one, const char* many) {
        if (count > 0) out += (out.empty() ? "" : ", ") + counted(count, one, many);
    };
    mention(facts.border_edge_count, "border edge", "border edges");
    mention(facts.non_manifold_edge_count, "edge with more than two triangles", "edges with more than two triangles");
    mention(facts.non_manifold_vertex_count, "non-manifold vertex", "non-manifold vertices");
    mention(facts.degenerate_triangle_count, "degenerate triangle", "degenerate triangles");
    return out;
}

class Info final : public Query {
    Body body_;
    PrxMeshFacts facts_{};

    void takes(CLI::App& app) override {
        takes_body(app, body_, "MESH", mesh_files);
        body_.in_doubles = true;
        usage::notes(app, "The answer: bounds in mesh units, area in their square, volume in their cube.", "proxel info bunny.ply");
    }

    bool warms_up() const override { return false; }

    // Vertices in the same place are the same to every query, whether or not the file tells them apart.
    void ask() override { check(prx_mesh_facts(context(), body_.id, PRX_VERTICES_WELDED, &facts_)); }

    void tell(Answer& out) override {
        out.add("vertices", facts_.vertex_count);
        out.add("triangles", facts_.triangle_count);
        out.add("closed", facts_.closed != 0, facts_.closed != 0 ? "" : "(" + faults(facts_) + ")");
        out.add("oriented", facts_.oriented != 0);
        out.add("manifold", facts_.manifold != 0);
        out.add("bounds_min", facts_.bounds.min);
        out.add("bounds_max", facts_.bounds.max);
        out.add("area", facts_.area);
        const bool encloses = facts_.closed != 0 && facts_.oriented != 0;
        out.add("volume", facts_.volume, encloses ? "" : "(meaningless: the surface is not closed and oriented)");
    }

    Image draw() override {
        const std::string found = faults(facts_);
        const bool solid = facts_.closed != 0 && facts_.manifold != 0;
        View view = view_of({&body_}, 1.0f);
        view.legend.clear();
        view.caption = counted(facts_.triangle_count, "triangle", "triangles") + ", " + (solid ? "closed" : found.empty() ? "open" : found);
        return draw_sheet({view}, 1);
    }
};

} // namespace

std::unique_ptr<Command> info_command() { return std::make_unique<Info>(); }

} // namespace cli
