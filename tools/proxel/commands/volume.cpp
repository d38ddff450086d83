// `proxel volume`: what two closed meshes have in common, and how much of it is certain.
#include "commands/all.hpp"
#include "commands/body.hpp"
#include "commands/reply.hpp"
#include "commands/voxels.hpp"
#include "picture/png.hpp"
#include "picture/sheet.hpp"
#include "terminal/spelling.hpp"
#include "terminal/timing.hpp"

#include <map>

namespace cli {
namespace {

const Option resolution{"--resolution", "N", "rays along each side of the volume of interest (default 128)"};
const Option cell_size{"--cell-size", "X", "the distance of neighbouring rays instead"};
const Option rays{"--rays", "AXIS", "best, x, y, z or all (default best)"};
const Option generator{"--generator", "NAME", "compute, lists or stencil (default compute)"};

std::uint32_t choose(const Arguments& arguments, const Option& option, const std::map<std::string, std::uint32_t>& choices,
                     const std::string& usual) {
    const std::string name = arguments.text(option).value_or(usual);
    const auto found = choices.find(name);
    if (found != choices.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [known, number] : choices) names.push_back(known);
    throw WrongUsage("'" + name + "' does not go with " + option.name + "." + did_you_mean(name, names));
}

PrxLdiDef read_def(const Arguments& arguments) {
    PrxLdiDef def = prx_ldi_def_default();
    def.resolution = static_cast<std::uint32_t>(arguments.whole(resolution, def.resolution, 1));
    if (arguments.has(cell_size)) {
        def.resolution = 0;
        def.cell_size = static_cast<float>(arguments.number(cell_size, 0.0));
    }
    def.rays = choose(arguments, rays,
                      {{"best", PRX_RAYS_BEST}, {"x", PRX_RAYS_X}, {"y", PRX_RAYS_Y}, {"z", PRX_RAYS_Z}, {"all", PRX_RAYS_ALL}},
                      "best");
    def.generator = choose(
        arguments, generator,
        {{"compute", PRX_GENERATOR_COMPUTE}, {"lists", PRX_GENERATOR_LISTS}, {"stencil", PRX_GENERATOR_STENCIL}}, "compute");
    return def;
}

// The paper's figures 8 to 10: both bodies, see-through, and what they share in red.
void draw(const std::string& picture, const Session& session, const Body& a, const Body& b, const PrxIntersectionVolume& answer) {
    const Mesh shared = answer.volume > 0 ? shared_voxels(session, a, b, answer.bounds) : Mesh{};
    View view;
    view.title = a.name() + " and " + b.name();
    view.surfaces = {{&a.mesh, a.pose, palette::blue, 0.3f, {}}, {&b.mesh, b.pose, palette::amber, 0.3f, {}}};
    view.legend = {{palette::blue, a.name()}, {palette::amber, b.name()}};
    view.caption = "a volume of " + brief(answer.volume) + ", certainly " + brief(answer.lower) + " to " + brief(answer.upper);
    if (!shared.triangles.empty()) {
        view.surfaces.push_back({&shared, {}, palette::red, 1.0f, {}});
        view.legend.push_back({palette::red, "in common"});
    }
    write_png(picture, draw_sheet({view}, 1));
}

void run(const Arguments& arguments) {
    const long long repeats = arguments.whole(options::repeat, 1, 1);
    const PrxLdiDef def = read_def(arguments);
    const Pose pose_a = arguments.pose(options::pose_a);
    const Pose pose_b = arguments.pose(options::pose_b);
    const Session session(arguments);
    const Body a(session, arguments.operand(0), pose_a);
    const Body b(session, arguments.operand(1), pose_b);

    PrxIntersectionVolume answer{};
    const auto ask = [&] {
        session.check(prx_mesh_intersection_volume(session.context(), a.id, &a.where, b.id, &b.where, &def, &answer, nullptr));
    };
    ask(); // the driver compiles kernels at their first use
    const double ms = median_milliseconds(repeats, [&] {
        if (arguments.has(options::deform)) b.update(session);
        ask();
    });
    if (const auto picture = arguments.text(options::picture)) draw(*picture, session, a, b, answer);

    const auto list = [](const double (&v)[3]) { return std::array<double, 3>{v[0], v[1], v[2]}; };
    const std::uint32_t flawed = answer.flawed_a + answer.flawed_b;
    Answer out;
    out.add("volume", answer.volume, flawed == 0 ? "" : "(not to be trusted: see flawed)");
    out.add("lower", answer.lower);
    out.add("upper", answer.upper);
    out.add("centroid", list(answer.centroid));
    out.add("gradient_a", list(answer.gradient_a));
    out.add("deepest", answer.deepest);
    out.add("flawed", flawed, flawed == 0 ? "" : "rays on which inside and outside cannot be told");
    out.add("ms", ms);
    reply(out, arguments);
}

} // namespace

Command volume_command() {
    return {"volume",
            "Measure what two closed meshes have in common",
            {{"A", "a closed mesh"}, {"B", "another closed mesh"}},
            {options::pose_a, options::pose_b, resolution, cell_size, rays, generator, options::json, options::picture,
             options::repeat, options::deform, options::device},
            run,
            "The answer: the exact volume is between lower and upper unless rays are flawed; gradient_a is how it changes\n"
            "per length as A moves; deepest is the longest stretch of a ray inside both."};
}

} // namespace cli
