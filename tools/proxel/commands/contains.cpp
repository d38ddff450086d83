// `proxel contains`: which points are inside a closed mesh.
#include "commands/all.hpp"
#include "commands/body.hpp"
#include "commands/reply.hpp"
#include "failure.hpp"
#include "mesh/places.hpp"
#include "picture/png.hpp"
#include "picture/sheet.hpp"
#include "terminal/timing.hpp"

#include <limits>

namespace cli {
namespace {

const Option resolution{"--resolution", "N", "rays along each side of the mesh's box (default 128)"};
const Option quick{"--quick", "", "by the nearest ray alone: points near the surface may be on the wrong side"};

// More would only hide one another.
constexpr std::size_t most_dots = 4000;

void draw(const std::string& picture, const Body& body, const std::vector<Vec3>& points, const std::vector<bool>& inside) {
    View view;
    view.title = body.name();
    view.surfaces = {{&body.mesh, body.pose, palette::blue, 0.3f, {}}};
    view.legend = {{palette::blue, body.name()}, {palette::red, "inside"}, {palette::faint_ink, "outside"}};
    const std::size_t step = std::max<std::size_t>(1, points.size() / most_dots);
    for (std::size_t i = 0; i < points.size(); i += step)
        view.marks.push_back({Mark::Kind::dot, points[i], points[i], inside[i] ? palette::red : palette::faint_ink, 6.0f});
    write_png(picture, draw_sheet({view}, 1));
}

void run(const Arguments& arguments) {
    const long long repeats = arguments.whole(options::repeat, 1, 1);
    PrxLdiDef def = prx_ldi_def_default();
    def.resolution = static_cast<std::uint32_t>(arguments.whole(resolution, def.resolution, 1));
    if (!arguments.has(quick)) def.flags = PRX_LDI_EXACT;
    const Pose pose = arguments.pose(options::pose_a);
    const std::vector<Vec3> points = read_points(arguments.operand(1));
    if (points.size() > std::numeric_limits<std::uint32_t>::max())
        throw Failure(arguments.operand(1) + ": more than 4294967295 points; split the file.");
    const Session session(arguments);
    const Body body(session, arguments.operand(0), pose);

    std::vector<std::uint32_t> answers(points.size());
    const auto ask = [&] {
        session.check(prx_mesh_contains(session.context(), body.id, &body.where, points.data(),
                                        static_cast<std::uint32_t>(points.size()), sizeof(Vec3), &def, answers.data()));
    };
    ask(); // the driver compiles kernels at their first use
    const double ms = median_milliseconds(repeats, [&] {
        if (arguments.has(options::deform)) body.update(session);
        ask();
    });
    std::vector<bool> inside;
    std::vector<std::uint32_t> list;
    std::uint64_t count = 0;
    for (const std::uint32_t bits : answers) {
        inside.push_back((bits & PRX_CONTAINMENT_INSIDE) != 0);
        list.push_back(inside.back() ? 1 : 0);
        count += inside.back() ? 1 : 0;
    }
    if (const auto picture = arguments.text(options::picture)) draw(*picture, body, points, inside);

    Answer out;
    out.add_list("inside", list);
    out.add("count", count);
    out.add("ms", ms);
    reply(out, arguments);
}

} // namespace

Command contains_command() {
    Option deform = options::deform;
    deform.meaning = "hand the positions over anew before each repeat, inside the time";
    return {"contains",
            "Say which points are inside a closed mesh",
            {{"A", "a closed mesh"}, {"POINTS", "a text file, x y z on each line"}},
            {options::pose_a, resolution, quick, options::json, options::picture, options::repeat, deform, options::device},
            run,
            "The answer: inside has a 1 for every point inside and a 0 for every other, in the file's order."};
}

} // namespace cli
