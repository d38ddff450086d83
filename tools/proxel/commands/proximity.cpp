// `proxel proximity`: the point of a mesh that is nearest to a solid, or deepest inside it.
#include "commands/all.hpp"
#include "commands/body.hpp"
#include "commands/reply.hpp"
#include "commands/solid.hpp"
#include "picture/png.hpp"
#include "picture/sheet.hpp"
#include "terminal/timing.hpp"

namespace cli {
namespace {

const Option tolerance{"--tolerance", "X", "split what is larger than X (default: the field's own)"};

void draw(const std::string& picture, const Solid& a, const Body& b, const PrxProximity& answer) {
    View view;
    view.title = a.name() + " and " + b.name();
    if (a.mesh) {
        view.surfaces.push_back({&*a.mesh, a.pose, palette::blue, 0.6f, {}});
        view.legend.push_back({palette::blue, a.name()});
    }
    view.surfaces.push_back({&b.mesh, b.pose, palette::amber, 0.6f, {}});
    view.legend.push_back({palette::amber, b.name()});
    view.legend.push_back({palette::red, answer.distance < 0.0f ? "deepest point" : "nearest points"});
    const Vec3 on_a = point(answer.point_field);
    const Vec3 on_b = point(answer.point_mesh);
    view.marks = {{Mark::Kind::segment, on_a, on_b, palette::red, 4.0f},
                  {Mark::Kind::dot, on_a, on_a, palette::red, 14.0f},
                  {Mark::Kind::dot, on_b, on_b, palette::red, 14.0f}};
    view.caption = brief(std::fabs(answer.distance)) + (answer.distance < 0.0f ? " deep, surely between " : " apart, surely between ") +
                   brief(answer.lower) + " and " + brief(answer.upper);
    write_png(picture, draw_sheet({view}, 1));
}

void run(const Arguments& arguments) {
    const long long repeats = arguments.whole(options::repeat, 1, 1);
    PrxProximityDef def = prx_proximity_def_default();
    def.tolerance = static_cast<float>(arguments.number(tolerance, def.tolerance));
    const Pose pose_a = arguments.pose(options::pose_a);
    const Pose pose_b = arguments.pose(options::pose_b);
    const Session session(arguments);
    const Solid a(session, arguments, arguments.operand(0), pose_a);
    const Body b(session, arguments.operand(1), pose_b);

    PrxProximity answer{};
    const auto ask = [&] {
        session.check(prx_field_proximity(session.context(), a.field(), &a.where, b.id, &b.where, &def, &answer));
    };
    ask(); // the first call makes the kernels
    const double ms = median_milliseconds(repeats, [&] {
        if (arguments.has(options::deform)) b.update(session);
        ask();
    });
    if (const auto picture = arguments.text(options::picture)) draw(*picture, a, b, answer);

    Answer out;
    out.add("distance", answer.distance, answer.penetrating != 0 ? "(B is inside A)" : "");
    out.add("lower", answer.lower);
    out.add("upper", answer.upper);
    out.add("point_a", point(answer.point_field));
    out.add("point_b", point(answer.point_mesh));
    out.add("triangle_b", answer.triangle);
    out.add("in_domain", answer.in_domain != 0, answer.in_domain != 0 ? "" : "(only lower and upper hold)");
    out.add("ms", ms);
    reply(out, arguments);
}

} // namespace

Command proximity_command() {
    return {"proximity",
            "Find the point of a mesh that is nearest to a solid, or deepest inside it",
            {{"A", "a closed mesh, or a field from bake"}, {"B", "a mesh"}},
            {options::pose_a, options::pose_b, field_resolution, tolerance, options::json, options::picture,
             options::repeat, options::deform, options::device},
            run,
            "The answer: distance is signed, negative inside A; the exact one lies between lower and upper. in_domain tells\n"
            "whether the point lies in the box that A's field covers."};
}

} // namespace cli
