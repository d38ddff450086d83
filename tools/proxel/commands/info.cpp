// `proxel info`: what can be said about a mesh before any query.
#include "commands/all.hpp"
#include "commands/reply.hpp"
#include "mesh/mesh.hpp"
#include "picture/png.hpp"
#include "picture/sheet.hpp"
#include "session.hpp"
#include "terminal/timing.hpp"

#include <filesystem>

namespace cli {
namespace {

Vec3 point(const float (&p)[3]) { return {p[0], p[1], p[2]}; }

std::string counted(std::uint32_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

// What keeps the surface from being a solid's, in words.
std::string faults(const PrxMeshFacts& facts) {
    std::string out;
    const auto mention = [&](std::uint32_t count, const char* one, const char* many) {
        if (count > 0) out += (out.empty() ? "" : ", ") + counted(count, one, many);
    };
    mention(facts.border_edge_count, "border edge", "border edges");
    mention(facts.non_manifold_edge_count, "edge with more than two triangles", "edges with more than two triangles");
    mention(facts.non_manifold_vertex_count, "non-manifold vertex", "non-manifold vertices");
    mention(facts.degenerate_triangle_count, "degenerate triangle", "degenerate triangles");
    return out;
}

void draw(const std::string& picture, const std::string& path, const Mesh& mesh, const PrxMeshFacts& facts) {
    const std::string found = faults(facts);
    View view;
    view.title = std::filesystem::path(path).filename().string();
    view.caption = counted(facts.triangle_count, "triangle", "triangles") + ", " +
                   (facts.closed != 0 && facts.manifold != 0 ? "closed"
                    : found.empty()                          ? "open"
                                                             : found);
    view.surfaces = {{&mesh, {}, palette::blue, 1.0f, {}}};
    write_png(picture, draw_sheet({view}, 1));
}

void run(const Arguments& arguments) {
    const std::string& path = arguments.operand(0);
    const long long repeats = arguments.whole(options::repeat, 1, 1);
    const Mesh mesh = read_mesh(path);
    const Session session(arguments);
    const PrxMesh id = session.upload(mesh, path);

    PrxMeshFacts facts{};
    // Vertices in the same place are the same to every query, whether or not the file tells them apart.
    const double ms = median_milliseconds(
        repeats, [&] { session.check(prx_mesh_facts(session.context(), id, PRX_VERTICES_WELDED, &facts)); });
    if (const auto picture = arguments.text(options::picture)) draw(*picture, path, mesh, facts);

    Answer answer;
    answer.add("vertices", facts.vertex_count);
    answer.add("triangles", facts.triangle_count);
    answer.add("closed", facts.closed != 0, facts.closed != 0 ? "" : "(" + faults(facts) + ")");
    answer.add("oriented", facts.oriented != 0);
    answer.add("manifold", facts.manifold != 0);
    answer.add("bounds_min", point(facts.bounds.min));
    answer.add("bounds_max", point(facts.bounds.max));
    answer.add("area", facts.area);
    const bool encloses = facts.closed != 0 && facts.oriented != 0;
    answer.add("volume", facts.volume, encloses ? "" : "(means nothing: the surface encloses none)");
    answer.add("ms", ms);
    reply(answer, arguments);
}

} // namespace

Command info_command() {
    return {"info",
            "Say what a mesh is: size, closed or not, bounds, area, volume",
            {{"MESH", "a PLY, OBJ, STL or OFF file"}},
            {options::json, options::picture, options::repeat, options::device},
            run};
}

} // namespace cli
