// `proxel penalty`: the force and torque that push a solid and a mesh apart.
#include "box.hpp"
#include "commands/all.hpp"

namespace cli {
namespace {

void takes_velocity(CLI::App& app, const std::string& name, PrxPose& where, const std::string& whose) {
    std::vector<float*> six;
    for (float& v : where.linear_velocity) six.push_back(&v);
    for (float& w : where.angular_velocity) six.push_back(&w);
    usage::floats(app, name, six, "V,W",
                  whose + " velocity vx,vy,vz in mesh units per second and wx,wy,wz in radians per second (default 0)");
}

void takes_center(CLI::App& app, const std::string& name, float (&center)[3], const std::string& whose) {
    usage::floats(app, name, {&center[0], &center[1], &center[2]}, "X,Y,Z", "centre of " + whose + " torque, in its own frame (default the origin)");
}

class Penalty final : public Query {
    Solid a_;
    Body b_;
    PrxPenaltyDef def_ = prx_penalty_def_default();
    PrxPenalty answer_{};
    bool errors_ = false;

    void takes(CLI::App& app) override {
        takes_solid_and_mesh(app, a_, b_);
        usage::number(app, "--stiffness", def_.stiffness, "K", "force per depth and area");
        usage::number(app, "--damping", def_.damping, "B", "force per normal velocity and area");
        usage::number(app, "--friction", def_.friction, "MU", "the dynamic friction coefficient");
        takes_velocity(app, "--velocity-a", a_.where, "A's");
        takes_velocity(app, "--velocity-b", b_.where, "B's");
        takes_center(app, "--center-a", def_.field_center, "A's");
        takes_center(app, "--center-b", def_.mesh_center, "B's");
        usage::flag(app, "--errors", errors_, "bound the errors of force and torque of the springs, for some ten times the work: without damping and friction");
        usage::number(app, "--samples", def_.resolution, "N", "samples along the longest side of A's domain", {1, 65536});
        usage::notes(app,
                     "The answer: force and torque on A, averaged over the area of B inside A; with _sum, integrated over it; with _b,\n"
                     "on B. area is that area, samples the samples in it, depth that of the deepest, in mesh units.\n"
                     "With --errors, the exact sums are no farther from those told than these lengths; torque_b_sum is about B's centre.",
                     "proxel penalty a.ply b.ply --pose-b 1.3,0.3,0,0,0,0,1 --stiffness 100");
    }

    void ask() override {
        def_.force_errors = errors_ ? 1 : 0;
        check(prx_field_penalty(context(), a_.field(), &a_.where, b_.id, &b_.where, &def_, &answer_));
    }

    void tell(Answer& out) override {
        out.add("force", answer_.force);
        out.add("torque", answer_.torque);
        out.add("force_sum", answer_.force_sum);
        out.add("torque_sum", answer_.torque_sum);
        out.add("force_b", answer_.mesh_force);
        out.add("torque_b", answer_.mesh_torque);
        if (errors_) {
            out.add("force_sum_error", answer_.force_sum_error);
            out.add("torque_sum_error", answer_.torque_sum_error);
            out.add("torque_b_sum_error", answer_.mesh_torque_sum_error);
        }
        out.add("area", answer_.area);
        out.add("samples", answer_.sample_count);
        out.add("depth", answer_.depth);
    }

    // Forces and torques have no length in the world: every arrow is as long as B is wide, and the legend has the numbers.
    Image draw() override {
        View view = view_of({&a_, &b_}, 0.5f);
        view.caption = "nothing is inside";
        if (answer_.sample_count > 0) {
            Box box;
            for (const Vec3 p : b_.mesh.positions) box.add(place(b_.pose, p));
            const float reach = 0.8f * box.radius();
            const auto arrow = [&](Vec3 from, Vec3 along, Colour colour, const std::string& name) {
                if (length(along) == 0.0f) return;
                view.marks.push_back({Mark::Kind::arrow, from, from + reach * normalised(along), colour, 7.0f});
                view.legend.push_back({colour, name + " " + brief(length(along))});
            };
            const Vec3 contact = point(answer_.centroid);
            arrow(contact, point(answer_.force_sum), palette::green, "force on " + a_.name());
            arrow(contact, point(answer_.mesh_force_sum), palette::red, "force on " + b_.name());
            arrow(place(a_.pose, point(def_.field_center)), point(answer_.torque_sum), palette::violet, "torque on " + a_.name());
            view.marks.push_back({Mark::Kind::dot, contact, contact, palette::ink, 12.0f});
            const Vec3 deepest = point(answer_.deepest);
            view.marks.push_back({Mark::Kind::dot, deepest, deepest, palette::red, 12.0f});
            view.legend.push_back({palette::ink, "centre of the contact"});
            view.legend.push_back({palette::red, "deepest sample"});
            view.caption = brief(answer_.depth) + " deep, over an area of " + brief(answer_.area) + "; arrows show directions";
        }
        return draw_sheet({view}, 1);
    }
};

} // namespace

std::unique_ptr<Command> penalty_command() { return std::make_unique<Penalty>(); }

} // namespace cli
