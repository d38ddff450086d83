// `proxel distance`: how far two meshes are apart, exactly, and where.
#include "commands/all.hpp"
#include "commands/body.hpp"
#include "commands/reply.hpp"
#include "picture/png.hpp"
#include "picture/sheet.hpp"
#include "terminal/spelling.hpp"
#include "terminal/timing.hpp"

#include <map>

namespace cli {
namespace {

const Option method{"--method", "NAME", "auto, hierarchy or margin_hash (default auto)"};
const Option within{"--within", "D", "stop when they are farther apart than D"};

PrxDistanceDef read_def(const Arguments& arguments) {
    static const std::map<std::string, PrxDistanceMethod> methods{{"auto", PRX_DISTANCE_METHOD_AUTO},
                                                                  {"hierarchy", PRX_DISTANCE_METHOD_HIERARCHY},
                                                                  {"margin_hash", PRX_DISTANCE_METHOD_MARGIN_HASH}};
    PrxDistanceDef def = prx_distance_def_default();
    const std::string name = arguments.text(method).value_or("auto");
    const auto found = methods.find(name);
    if (found == methods.end()) {
        throw WrongUsage("there is no method '" + name + "'." + did_you_mean(name, {"auto", "hierarchy", "margin_hash"}));
    }
    def.method = found->second;
    def.within = arguments.number(within, def.within);
    return def;
}

void draw(const std::string& picture, const Body& a, const Body& b, const PrxDistance& answer) {
    View view;
    view.title = a.name() + " and " + b.name();
    view.surfaces = {{&a.mesh, a.pose, palette::blue, 0.8f, {}}, {&b.mesh, b.pose, palette::amber, 0.8f, {}}};
    view.legend = {{palette::blue, a.name()}, {palette::amber, b.name()}};
    view.caption = answer.intersecting != 0 ? "they intersect" : brief(answer.distance) + " apart";
    if (answer.triangle_a == PRX_NO_INDEX) {
        view.caption = "at least " + brief(answer.lower) + " apart";
    } else {
        const Vec3 from = point(answer.point_a);
        const Vec3 to = point(answer.point_b);
        view.marks = {{Mark::Kind::segment, from, to, palette::red, 4.0f},
                      {Mark::Kind::dot, from, from, palette::red, 16.0f},
                      {Mark::Kind::dot, to, to, palette::red, 16.0f}};
        view.legend.push_back({palette::red, "nearest points"});
    }
    write_png(picture, draw_sheet({view}, 1));
}

void run(const Arguments& arguments) {
    const long long repeats = arguments.whole(options::repeat, 1, 1);
    const PrxDistanceDef def = read_def(arguments);
    const Pose pose_a = arguments.pose(options::pose_a);
    const Pose pose_b = arguments.pose(options::pose_b);
    const Session session(arguments);
    const Body a(session, arguments.operand(0), pose_a);
    const Body b(session, arguments.operand(1), pose_b);

    PrxDistance answer{};
    const auto ask = [&] {
        session.check(prx_mesh_distance(session.context(), a.id, &a.where, b.id, &b.where, &def, &answer));
    };
    ask(); // the first call builds the hierarchies
    const double ms = median_milliseconds(repeats, [&] {
        if (arguments.has(options::deform)) b.update(session);
        ask();
    });
    if (const auto picture = arguments.text(options::picture)) draw(*picture, a, b, answer);

    Answer out;
    out.add("distance", answer.distance, answer.intersecting != 0 ? "(they intersect)" : "");
    out.add("lower", answer.lower);
    out.add("upper", answer.upper);
    out.add("point_a", point(answer.point_a));
    out.add("point_b", point(answer.point_b));
    out.add("triangle_a", answer.triangle_a);
    out.add("triangle_b", answer.triangle_b);
    out.add("ms", ms);
    reply(out, arguments);
}

} // namespace

Command distance_command() {
    return {"distance",
            "Say how far two meshes are apart, exactly, and where",
            {{"A", "a mesh"}, {"B", "another mesh"}},
            {options::pose_a, options::pose_b, method, within, options::json, options::picture, options::repeat,
             options::deform, options::device},
            run};
}

} // namespace cli
