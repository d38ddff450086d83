// `proxel pairs`: the triangles of two meshes that intersect, or that are near each other.
#include "commands/all.hpp"
#include "commands/body.hpp"
#include "commands/culling.hpp"
#include "commands/reply.hpp"
#include "picture/png.hpp"
#include "picture/sheet.hpp"
#include "terminal/timing.hpp"

namespace cli {
namespace {

const Option distance{"--distance", "D", "pairs at most D apart (default 0: those that intersect)"};

void draw(const std::string& picture, const Body& a, const Body& b, const std::vector<PrxPair>& pairs) {
    View view;
    view.title = a.name() + " and " + b.name();
    view.caption = std::to_string(pairs.size()) + (pairs.size() == 1 ? " pair" : " pairs") + " of triangles";
    view.surfaces = {{&a.mesh, a.pose, palette::blue, 0.6f, {}}, {&b.mesh, b.pose, palette::amber, 0.6f, {}}};
    view.legend = {{palette::blue, a.name()}, {palette::amber, b.name()}};
    bool meeting = false;
    bool apart = false;
    for (const PrxPair& pair : pairs) {
        (pair.distance > 0.0 ? apart : meeting) = true;
        view.marks.push_back({Mark::Kind::segment, point(pair.segment[0]), point(pair.segment[1]),
                              pair.distance > 0.0 ? palette::violet : palette::red, 5.0f});
    }
    if (meeting) view.legend.push_back({palette::red, "where they intersect"});
    if (apart) view.legend.push_back({palette::violet, "nearest points"});
    write_png(picture, draw_sheet({view}, 1));
}

void run(const Arguments& arguments) {
    const long long repeats = arguments.whole(options::repeat, 1, 1);
    const PrxCullDef def = culling::def(arguments);
    const double reach = arguments.number(distance, 0.0);
    const Pose pose_a = arguments.pose(options::pose_a);
    const Pose pose_b = arguments.pose(options::pose_b);
    const Session session(arguments);
    const Body a(session, arguments.operand(0), pose_a);
    const Body b(session, arguments.operand(1), pose_b);

    std::vector<PrxPair> pairs(4096);
    std::uint64_t count = 0;
    PrxCullStats stats{};
    const auto ask = [&] {
        return prx_mesh_pairs_culled(session.context(), a.id, &a.where, b.id, &b.where, reach, &def, pairs.data(),
                                     pairs.size(), &count, &stats);
    };
    // The first call builds the hierarchies and says how many there are.
    if (ask() == PRX_STATUS_BUFFER_TOO_SMALL) pairs.resize(static_cast<std::size_t>(count));
    const double ms = median_milliseconds(repeats, [&] {
        if (arguments.has(options::deform)) b.update(session);
        session.check(ask());
    });
    pairs.resize(static_cast<std::size_t>(count));
    if (const auto picture = arguments.text(options::picture)) draw(*picture, a, b, pairs);

    std::vector<std::array<std::uint32_t, 2>> list;
    for (const PrxPair& pair : pairs) list.push_back({pair.triangle_a, pair.triangle_b});
    Answer out;
    out.add("count", count);
    out.add_list("pairs", list);
    out.add("candidates", stats.candidates);
    out.add("ms", ms);
    reply(out, arguments);
}

} // namespace

Command pairs_command() {
    return {"pairs",
            "List the triangles of two meshes that intersect, or are near each other",
            {{"A", "a mesh"}, {"B", "another mesh"}},
            {distance, culling::method, culling::path, culling::viewport, options::pose_a, options::pose_b, options::json, options::picture, options::repeat,
             options::deform, options::device},
            run};
}

} // namespace cli
