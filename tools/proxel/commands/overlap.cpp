// `proxel overlap`: does a mesh touch or enter a solid?
#include "commands/all.hpp"
#include "commands/body.hpp"
#include "commands/reply.hpp"
#include "commands/solid.hpp"
#include "picture/png.hpp"
#include "picture/sheet.hpp"
#include "terminal/timing.hpp"

namespace cli {
namespace {

const Option pixels{"--pixels", "N", "draw B in views of N pixels along a side (default: 512)"};

const char* meaning(const PrxOverlap& answer) {
    if (answer.overlap == 0) return "proven apart";
    return answer.certain != 0 ? "proven to touch" : "touching or nearly, within the field's error and a pixel";
}

void draw(const std::string& picture, const Solid& a, const Body& b, const PrxOverlap& answer) {
    View view;
    view.title = a.name() + " and " + b.name();
    if (a.mesh) {
        view.surfaces.push_back({&*a.mesh, a.pose, palette::blue, 0.6f, {}});
        view.legend.push_back({palette::blue, a.name()});
    }
    const Colour touched = answer.overlap == 0 ? palette::green : answer.certain != 0 ? palette::red : palette::amber;
    view.surfaces.push_back({&b.mesh, b.pose, touched, 0.6f, {}});
    view.legend.push_back({touched, b.name()});
    view.caption = meaning(answer);
    write_png(picture, draw_sheet({view}, 1));
}

void run(const Arguments& arguments) {
    const long long repeats = arguments.whole(options::repeat, 1, 1);
    PrxOverlapDef def = prx_overlap_def_default();
    def.resolution = static_cast<uint32_t>(arguments.whole(pixels, def.resolution, 1));
    const Pose pose_a = arguments.pose(options::pose_a);
    const Pose pose_b = arguments.pose(options::pose_b);
    const Session session(arguments);
    const Solid a(session, arguments, arguments.operand(0), pose_a);
    const Body b(session, arguments.operand(1), pose_b);

    PrxOverlap answer{};
    const auto ask = [&] {
        session.check(prx_field_overlap(session.context(), a.field(), &a.where, b.id, &b.where, &def, &answer));
    };
    ask(); // the first call makes the shaders
    const double ms = median_milliseconds(repeats, [&] {
        if (arguments.has(options::deform)) b.update(session);
        ask();
    });
    if (const auto picture = arguments.text(options::picture)) draw(*picture, a, b, answer);

    Answer out;
    out.add("overlap", answer.overlap != 0, std::string("(") + meaning(answer) + ")");
    out.add("ms", ms);
    reply(out, arguments);
}

} // namespace

Command overlap_command() {
    return {"overlap",
            "Tell whether a mesh touches or enters a solid",
            {{"A", "a closed mesh, or a field from bake"}, {"B", "a mesh"}},
            {options::pose_a, options::pose_b, field_resolution, pixels, options::json, options::picture, options::repeat,
             options::deform, options::device},
            run,
            "The answer: overlap is false only if B is proven to stay outside of A."};
}

} // namespace cli
