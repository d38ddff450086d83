// `proxel self`: the triangles of a mesh that intersect each other where they should not.
#include "commands/all.hpp"

namespace cli {
namespace {

class Self final : public Query {
    Body body_;
    Listed<PrxTrianglePair> pairs_;

    void takes(CLI::App& app) override {
        takes_body(app, body_, "MESH", mesh_files);
        takes_deform(app, {&body_}, "all");
        body_.in_doubles = true;
        usage::notes(app, "The answer: pairs are triangles of the file, counted from 0, that intersect beyond what neighbours share.",
                     "proxel self cloth.ply --picture folds.png");
    }

    void ask() override {
        check(pairs_.fill([&](auto* out, auto room, auto* count) { return prx_mesh_self_pairs(context(), body_.id, out, room, count); }));
    }

    void tell(Answer& out) override {
        out.add("count", pairs_.count());
        out.add_list("pairs", pairs_.pairs([](const PrxTrianglePair& p) { return std::array{p.first, p.second}; }));
    }

    Image draw() override {
        View view = view_of({&body_}, 1.0f);
        view.legend.clear();
        view.caption = "no self-intersection";
        if (pairs_.count() > 0) {
            std::vector<Colour>& colours = view.surfaces[0].triangle_colours;
            colours.assign(body_.mesh.triangles.size(), palette::clay);
            for (const PrxTrianglePair& pair : pairs_) colours[pair.first] = colours[pair.second] = palette::red;
            view.legend = {{palette::red, "intersecting triangles"}};
            view.caption = std::to_string(pairs_.count()) + (pairs_.count() == 1 ? " pair" : " pairs") + " of triangles intersect";
        }
        return draw_sheet({view}, 1);
    }
};

} // namespace

std::unique_ptr<Command> self_command() { return std::make_unique<Self>(); }

} // namespace cli
