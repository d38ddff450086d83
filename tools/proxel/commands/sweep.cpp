// `proxel sweep`: the first contact of two meshes while each vertex goes straight from one place to another.
#include "commands/all.hpp"
#include "commands/body.hpp"
#include "commands/reply.hpp"
#include "picture/png.hpp"
#include "picture/sheet.hpp"
#include "terminal/timing.hpp"

namespace cli {
namespace {

const Option tolerance{"--tolerance", "D", "closer than D is a contact (default a millionth of the larger mesh)"};

const char* kind_name(std::uint32_t kind) {
    switch (kind) {
    case PRX_IMPACT_KIND_START: return "start";
    case PRX_IMPACT_KIND_VERTEX_FACE: return "vertex-face";
    case PRX_IMPACT_KIND_FACE_VERTEX: return "face-vertex";
    case PRX_IMPACT_KIND_EDGE_EDGE: return "edge-edge";
    default: return "none";
    }
}

std::vector<std::uint32_t> feature(const std::uint32_t (&indices)[2]) {
    std::vector<std::uint32_t> used;
    for (const std::uint32_t index : indices) {
        if (index != PRX_NO_INDEX) used.push_back(index);
    }
    return used;
}

Mesh at_time(const Mesh& from, const Mesh& to, float time) {
    Mesh out = from;
    for (std::size_t i = 0; i < out.positions.size(); ++i) out.positions[i] = lerp(from.positions[i], to.positions[i], time);
    return out;
}

void draw(const std::string& picture, const std::array<const Body*, 4>& bodies, const PrxImpact& impact) {
    const bool hit = impact.hit != 0;
    const float time = hit ? static_cast<float>(impact.time) : 1.0f;
    const Mesh a = at_time(bodies[0]->mesh, bodies[1]->mesh, time);
    const Mesh b = at_time(bodies[2]->mesh, bodies[3]->mesh, time);
    View view;
    view.title = bodies[0]->name() + " and " + bodies[2]->name();
    view.caption = hit ? std::string(kind_name(impact.kind)) + " at time " + brief(impact.time) : "they do not touch";
    view.surfaces = {{&a, {}, palette::blue, 0.6f, {}}, {&b, {}, palette::amber, 0.6f, {}}};
    view.legend = {{palette::blue, bodies[0]->name()}, {palette::amber, bodies[2]->name()}};
    // Where they come from: the way of a few vertices.
    for (std::size_t body = 0; body < 4; body += 2) {
        const std::vector<Vec3>& from = bodies[body]->mesh.positions;
        const std::vector<Vec3>& to = bodies[body + 1]->mesh.positions;
        const std::size_t step = from.size() / 24 + 1;
        for (std::size_t i = 0; i < from.size(); i += step) {
            if (length(to[i] - from[i]) > 0.0f)
                view.marks.push_back({Mark::Kind::arrow, from[i], lerp(from[i], to[i], time), palette::faint_ink, 2.0f});
        }
    }
    if (hit) {
        view.marks.push_back({Mark::Kind::dot, point(impact.point_a), {}, palette::red, 18.0f});
        view.legend.push_back({palette::red, "first contact"});
    }
    write_png(picture, draw_sheet({view}, 1));
}

void run(const Arguments& arguments) {
    const long long repeats = arguments.whole(options::repeat, 1, 1);
    PrxSweepDef def = prx_sweep_def_default();
    def.tolerance = arguments.number(tolerance, def.tolerance);
    if (arguments.has(tolerance) && !(def.tolerance >= 0.0)) throw WrongUsage("--tolerance takes a number from 0.");
    const Session session(arguments);
    const Body a0(session, arguments.operand(0), {});
    const Body a1(session, arguments.operand(1), {});
    const Body b0(session, arguments.operand(2), {});
    const Body b1(session, arguments.operand(3), {});

    PrxImpact impact{};
    const auto ask = [&] {
        session.check(prx_mesh_sweep(session.context(), a0.id, a1.id, b0.id, b1.id, &def, &impact));
    };
    ask(); // the first call builds the hierarchies
    const double ms = median_milliseconds(repeats, [&] {
        if (arguments.has(options::deform)) {
            b0.update(session);
            b1.update(session);
        }
        ask();
    });
    if (const auto picture = arguments.text(options::picture)) draw(*picture, {&a0, &a1, &b0, &b1}, impact);

    Answer out;
    out.add("hit", impact.hit != 0);
    out.add("toi", impact.time);
    out.add("kind", kind_name(impact.kind));
    out.add("feature_a", feature(impact.feature_a));
    out.add("feature_b", feature(impact.feature_b));
    out.add("ms", ms);
    reply(out, arguments);
}

} // namespace

Command sweep_command() {
    return {"sweep",
            "Find the first contact of two meshes that move",
            {{"A0", "a mesh where it begins"},
             {"A1", "the same mesh where it ends"},
             {"B0", "another mesh where it begins"},
             {"B1", "and where it ends"}},
            {tolerance, options::json, options::picture, options::repeat, options::deform, options::device},
            run};
}

} // namespace cli
