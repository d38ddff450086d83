// `proxel penalty`: the force and torque that push a solid and a mesh apart.
#include "commands/all.hpp"
#include "commands/body.hpp"
#include "commands/reply.hpp"
#include "commands/solid.hpp"
#include "picture/png.hpp"
#include "picture/sheet.hpp"
#include "terminal/timing.hpp"

#include <algorithm>

namespace cli {
namespace {

const Option stiffness{"--stiffness", "K", "force per depth and area (default 1)"};
const Option damping{"--damping", "B", "force per normal velocity and area (default 0)"};
const Option friction{"--friction", "MU", "the dynamic friction coefficient (default 0)"};
const Option velocity_a{"--velocity-a", "V,W", "A's velocity vx,vy,vz and angular velocity wx,wy,wz (default 0)"};
const Option velocity_b{"--velocity-b", "V,W", "B's velocities, likewise"};
const Option center_a{"--center-a", "X,Y,Z", "what A turns about, in its own frame (default the origin)"};
const Option center_b{"--center-b", "X,Y,Z", "what B turns about, in its own frame"};
const Option samples{"--samples", "N", "samples along the longest side of A's domain (default 256)"};

void set_velocity(PrxPose& pose, const Arguments& arguments, const Option& option) {
    const auto v = arguments.numbers(option, 6);
    for (std::size_t i = 0; v && i < 3; ++i) {
        pose.linear_velocity[i] = static_cast<float>((*v)[i]);
        pose.angular_velocity[i] = static_cast<float>((*v)[i + 3]);
    }
}

void set_center(float (&center)[3], const Arguments& arguments, const Option& option) {
    const Vec3 c = arguments.vector(option, {});
    center[0] = c.x;
    center[1] = c.y;
    center[2] = c.z;
}

PrxPenaltyDef read_def(const Arguments& arguments) {
    PrxPenaltyDef def = prx_penalty_def_default();
    def.stiffness = static_cast<float>(arguments.number(stiffness, def.stiffness));
    def.damping = static_cast<float>(arguments.number(damping, def.damping));
    def.friction = static_cast<float>(arguments.number(friction, def.friction));
    const long long count = arguments.whole(samples, def.resolution, 1);
    def.resolution = static_cast<std::uint32_t>(std::min(count, 65536LL));
    set_center(def.field_center, arguments, center_a);
    set_center(def.mesh_center, arguments, center_b);
    return def;
}

// Forces and torques have no length in the world: the longest arrow is as long as a third of the smaller body.
void draw(const std::string& picture, const Solid& a, const Body& b, const PrxPenaltyDef& def, const PrxPenalty& answer) {
    View view;
    view.title = a.name() + " and " + b.name();
    Vec3 low = place(b.pose, b.mesh.positions.front());
    Vec3 high = low;
    for (const Vec3& p : b.mesh.positions) {
        const Vec3 q = place(b.pose, p);
        low = {std::min(low.x, q.x), std::min(low.y, q.y), std::min(low.z, q.z)};
        high = {std::max(high.x, q.x), std::max(high.y, q.y), std::max(high.z, q.z)};
    }
    const float reach = 0.4f * length(high - low);
    if (a.mesh) {
        view.surfaces.push_back({&*a.mesh, a.pose, palette::blue, 0.5f, {}});
        view.legend.push_back({palette::blue, a.name()});
    }
    view.surfaces.push_back({&b.mesh, b.pose, palette::amber, 0.5f, {}});
    view.legend.push_back({palette::amber, b.name()});
    view.caption = "nothing is inside";
    if (answer.sample_count > 0) {
        const auto arrow = [&](Vec3 from, Vec3 along, Colour colour) {
            view.marks.push_back({Mark::Kind::arrow, from, from + reach * normalised(along), colour, 7.0f});
        };
        const Vec3 contact = point(answer.centroid);
        arrow(contact, point(answer.force_sum), palette::green);
        arrow(contact, point(answer.mesh_force_sum), palette::red);
        const Vec3 centre = place(a.pose, point(def.field_center));
        if (length(point(answer.torque_sum)) > 0.0f) arrow(centre, point(answer.torque_sum), palette::violet);
        view.marks.push_back({Mark::Kind::dot, contact, contact, palette::ink, 12.0f});
        const Vec3 deepest = point(answer.deepest);
        view.marks.push_back({Mark::Kind::dot, deepest, deepest, palette::red, 12.0f});
        view.legend.push_back({palette::green, "force on " + a.name()});
        view.legend.push_back({palette::red, "force on " + b.name() + ", deepest sample"});
        view.legend.push_back({palette::violet, "torque on " + a.name()});
        view.caption = brief(answer.depth) + " deep, area " + brief(answer.area) + ", force " +
                       brief(length(point(answer.force_sum)));
    }
    write_png(picture, draw_sheet({view}, 1));
}

void run(const Arguments& arguments) {
    const long long repeats = arguments.whole(options::repeat, 1, 1);
    const PrxPenaltyDef def = read_def(arguments);
    const Pose pose_a = arguments.pose(options::pose_a);
    const Pose pose_b = arguments.pose(options::pose_b);
    const Session session(arguments);
    Solid a(session, arguments, arguments.operand(0), pose_a);
    Body b(session, arguments.operand(1), pose_b);
    set_velocity(a.where, arguments, velocity_a);
    set_velocity(b.where, arguments, velocity_b);

    PrxPenalty answer{};
    const auto ask = [&] {
        session.check(prx_field_penalty(session.context(), a.field(), &a.where, b.id, &b.where, &def, &answer));
    };
    ask(); // the first call makes the kernels
    const double ms = median_milliseconds(repeats, [&] {
        if (arguments.has(options::deform)) b.update(session);
        ask();
    });
    if (const auto picture = arguments.text(options::picture)) draw(*picture, a, b, def, answer);

    Answer out;
    out.add("force", point(answer.force));
    out.add("torque", point(answer.torque));
    out.add("force_sum", point(answer.force_sum));
    out.add("torque_sum", point(answer.torque_sum));
    out.add("force_b", point(answer.mesh_force));
    out.add("torque_b", point(answer.mesh_torque));
    out.add("area", answer.area);
    out.add("samples", answer.sample_count);
    out.add("depth", answer.depth);
    out.add("ms", ms);
    reply(out, arguments);
}

} // namespace

Command penalty_command() {
    return {"penalty",
            "Sum the forces that push a solid and a mesh apart",
            {{"A", "a closed mesh, or a field from bake"}, {"B", "a mesh"}},
            {options::pose_a, options::pose_b, stiffness, damping, friction, velocity_a, velocity_b, center_a, center_b,
             field_resolution, samples, options::json, options::picture, options::repeat, options::deform,
             options::device},
            run,
            "The answer: force and torque on A, averaged over the area of B inside A; with _sum, integrated over it; with _b,\n"
            "on B. area is that area, samples the samples in it, depth that of the deepest."};
}

} // namespace cli
