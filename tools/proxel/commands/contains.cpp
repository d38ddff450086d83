// `proxel contains`: which points are inside a closed mesh, and how deep.
#include "commands/all.hpp"
#include "mesh/places.hpp"

#include <algorithm>

namespace cli {
namespace {

constexpr std::size_t most_dots = 4000; // more would only hide one another

class Contains final : public Query {
    Body body_;
    std::string points_file_;
    bool quick_ = false;
    bool depth_ = false;
    PrxLdiDef def_ = prx_ldi_def_default();
    std::vector<Vec3> points_;
    std::vector<std::uint32_t> answers_;
    std::vector<PrxExit> exits_;

    void takes(CLI::App& app) override {
        takes_body(app, body_, "A", "a closed mesh", "--pose-a");
        usage::operand(app, "POINTS", points_file_, "a text file, x y z on each line");
        takes_deform(app, {&body_}, "all");
        usage::number(app, "--resolution", def_.resolution, "N", "rays along each side of the mesh's box", {1});
        usage::flag(app, "--quick", quick_, "by the nearest ray alone: points near the surface may be on the wrong side");
        usage::flag(app, "--depth", depth_, "exactly, with how deep each point is inside and where it gets out");
        usage::notes(app, "The answer: inside has a 1 for every point inside and a 0 for every other, in the file's order.\n"
                          "With --depth, depth has how far each point inside is from the surface, and 0 for others; deepest is the largest.",
                     "proxel contains a.ply points.txt");
    }

    void read() override { points_ = read_points(points_file_); }

    void prepare() override {
        if (!quick_) def_.flags = PRX_LDI_EXACT;
        answers_.resize(points_.size());
        exits_.resize(depth_ ? points_.size() : 0);
    }

    void ask() override {
        if (depth_) {
            check(prx_mesh_exits(context(), body_.id, &body_.where, points_.data(), static_cast<std::uint32_t>(points_.size()), sizeof(Vec3),
                                 exits_.data()));
            for (std::size_t i = 0; i < exits_.size(); ++i) answers_[i] = exits_[i].inside != 0 ? PRX_CONTAINMENT_INSIDE : 0;
            return;
        }
        check(prx_mesh_contains(context(), body_.id, &body_.where, points_.data(), static_cast<std::uint32_t>(points_.size()),
                                sizeof(Vec3), &def_, answers_.data()));
    }

    bool is_inside(std::size_t i) const { return (answers_[i] & PRX_CONTAINMENT_INSIDE) != 0; }

    void tell(Answer& out) override {
        std::vector<std::uint32_t> inside;
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < answers_.size(); ++i) {
            inside.push_back(is_inside(i) ? 1 : 0);
            count += inside.back();
        }
        out.add_list("inside", inside);
        out.add("count", count);
        if (!depth_) return;
        std::vector<double> depths;
        for (const PrxExit& exit : exits_) depths.push_back(exit.depth);
        out.add("deepest", depths.empty() ? 0.0 : *std::max_element(depths.begin(), depths.end()));
        out.add_list("depth", depths);
    }

    Image draw() override {
        View view = view_of({&body_}, 0.3f);
        view.legend.push_back({palette::red, "inside"});
        view.legend.push_back({palette::faint_ink, "outside"});
        const std::size_t step = std::max<std::size_t>(1, points_.size() / most_dots);
        for (std::size_t i = 0; i < points_.size(); i += step)
            view.marks.push_back({Mark::Kind::dot, points_[i], points_[i], is_inside(i) ? palette::red : palette::faint_ink, 6.0f});
        for (std::size_t i = 0; i < exits_.size(); i += step)
            if (exits_[i].depth > 0) view.marks.push_back({Mark::Kind::arrow, points_[i], point(exits_[i].place), palette::blue, 2.0f});
        return draw_sheet({view}, 1);
    }
};

} // namespace

std::unique_ptr<Command> contains_command() { return std::make_unique<Contains>(); }

} // namespace cli
