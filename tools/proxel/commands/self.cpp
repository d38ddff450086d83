// `proxel self`: the triangles of a mesh that intersect each other where they should not.
#include "commands/all.hpp"
#include "commands/body.hpp"
#include "commands/reply.hpp"
#include "picture/png.hpp"
#include "picture/sheet.hpp"
#include "terminal/timing.hpp"

namespace cli {
namespace {

void draw(const std::string& picture, const Body& body, const std::vector<PrxTrianglePair>& pairs) {
    View view;
    view.title = body.name();
    view.caption = pairs.empty() ? "no self-intersection" : std::to_string(pairs.size()) + " pairs of triangles intersect";
    view.surfaces = {{&body.mesh, {}, palette::blue, 1.0f, {}}};
    if (!pairs.empty()) {
        std::vector<Colour>& colours = view.surfaces[0].triangle_colours;
        colours.assign(body.mesh.triangles.size(), palette::clay);
        for (const PrxTrianglePair& pair : pairs) colours[pair.first] = colours[pair.second] = palette::red;
        view.legend = {{palette::red, "intersecting triangles"}};
    }
    write_png(picture, draw_sheet({view}, 1));
}

void run(const Arguments& arguments) {
    const long long repeats = arguments.whole(options::repeat, 1, 1);
    const Session session(arguments);
    const Body body(session, arguments.operand(0), {});

    std::vector<PrxTrianglePair> pairs(4096);
    std::uint64_t count = 0;
    const auto ask = [&] { return prx_mesh_self_pairs(session.context(), body.id, pairs.data(), pairs.size(), &count); };
    // The first call builds the hierarchy and says how many there are.
    if (ask() == PRX_STATUS_BUFFER_TOO_SMALL) pairs.resize(static_cast<std::size_t>(count));
    const double ms = median_milliseconds(repeats, [&] {
        if (arguments.has(options::deform)) body.update(session);
        session.check(ask());
    });
    pairs.resize(static_cast<std::size_t>(count));
    if (const auto picture = arguments.text(options::picture)) draw(*picture, body, pairs);

    std::vector<std::array<std::uint32_t, 2>> list;
    for (const PrxTrianglePair& pair : pairs) list.push_back({pair.first, pair.second});
    Answer out;
    out.add("count", count);
    out.add_list("pairs", list);
    out.add("ms", ms);
    reply(out, arguments);
}

} // namespace

Command self_command() {
    Option deform = options::deform;
    deform.meaning = "hand the positions over anew before each repeat, inside the time";
    return {"self",
            "List the triangles of a mesh that intersect each other",
            {{"MESH", "a PLY, OBJ, STL or OFF file"}},
            {options::json, options::picture, options::repeat, deform, options::device},
            run};
}

} // namespace cli
