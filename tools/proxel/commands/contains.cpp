// `proxel contains`: which points are inside a closed mesh.
#include "commands/all.hpp"
#include "mesh/places.hpp"

namespace cli {
namespace {

constexpr std::size_t most_dots = 4000; // more would only hide one another

class Contains final : public Query {
    Body body_;
    std::string points_file_;
    bool quick_ = false;
    PrxLdiDef def_ = prx_ldi_def_default();
    std::vector<Vec3> points_;
    std::vector<std::uint32_t> answers_;

    void takes(CLI::App& app) override {
        takes_body(app, body_, "A", "a closed mesh", "--pose-a");
        usage::operand(app, "POINTS", points_file_, "a text file, x y z on each line");
        takes_deform(app, {&body_}, "all");
        usage::number(app, "--resolution", def_.resolution, "N", "rays along each side of the mesh's box", {1});
        usage::flag(app, "--quick", quick_, "by the nearest ray alone: points near the surface may be on the wrong side");
        usage::notes(app, "The answer: inside has a 1 for every point inside and a 0 for every other, in the file's order.",
                     "proxel contains a.ply points.txt");
    }

    void read() override { points_ = read_points(points_file_); }

    void prepare() override {
        if (!quick_) def_.flags = PRX_LDI_EXACT;
        answers_.resize(points_.size());
    }

    void ask() override {
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
    }

    Image draw() override {
        View view = view_of({&body_}, 0.3f);
        view.legend.push_back({palette::red, "inside"});
        view.legend.push_back({palette::faint_ink, "outside"});
        const std::size_t step = std::max<std::size_t>(1, points_.size() / most_dots);
        for (std::size_t i = 0; i < points_.size(); i += step)
            view.marks.push_back({Mark::Kind::dot, points_[i], points_[i], is_inside(i) ? palette::red : palette::faint_ink, 6.0f});
        return draw_sheet({view}, 1);
    }
};

} // namespace

std::unique_ptr<Command> contains_command() { return std::make_unique<Contains>(); }

} // namespace cli
