// `proxel cull`: which of many meshes touch, or are near each other.
#include "commands/all.hpp"
#include "commands/body.hpp"
#include "commands/culling.hpp"
#include "commands/reply.hpp"
#include "failure.hpp"
#include "mesh/places.hpp"
#include "picture/png.hpp"
#include "picture/sheet.hpp"
#include "terminal/timing.hpp"

#include <map>
#include <memory>
#include <set>

namespace cli {
namespace {

const Option poses{"--poses", "FILE", "where the meshes are: tx,ty,tz,qx,qy,qz,qw, a line each (default identity)"};
const Option distance{"--distance", "D", "pairs at most D apart (default 0: those that touch)"};

std::vector<Pose> poses_of(const std::optional<std::string>& path, std::size_t count) {
    if (!path) return std::vector<Pose>(count);
    const std::vector<Pose> all = read_poses(*path);
    if (all.size() != count)
        throw Failure(*path + ": there are " + std::to_string(all.size()) + " poses for " + std::to_string(count) +
                      " meshes; give one for each.");
    return all;
}

void draw(const std::string& picture, const std::vector<std::unique_ptr<Body>>& bodies, const std::set<std::uint32_t>& colliding) {
    View view;
    view.title = std::to_string(bodies.size()) + " meshes";
    view.caption = std::to_string(colliding.size()) + " of them touch another";
    for (std::uint32_t i = 0; i < bodies.size(); ++i)
        view.surfaces.push_back({&bodies[i]->mesh, bodies[i]->pose, colliding.count(i) > 0 ? palette::red : palette::blue, 0.8f, {}});
    view.legend = {{palette::red, "touching"}, {palette::blue, "free"}};
    write_png(picture, draw_sheet({view}, 1));
}

void run(const Arguments& arguments) {
    const long long repeats = arguments.whole(options::repeat, 1, 1);
    const PrxCullDef def = culling::def(arguments);
    const double reach = arguments.number(distance, 0.0);
    const std::vector<std::string>& files = arguments.operands();
    const std::vector<Pose> places = poses_of(arguments.text(poses), files.size());
    const Session session(arguments);

    PrxScene scene{};
    session.check(prx_scene_create(session.context(), &scene));
    std::vector<std::unique_ptr<Body>> bodies;
    std::vector<PrxObject> objects(files.size());
    std::vector<PrxPose> wheres;
    std::map<std::uint64_t, std::uint32_t> number;
    for (std::uint32_t i = 0; i < files.size(); ++i) {
        bodies.push_back(std::make_unique<Body>(session, files[i], places[i]));
        wheres.push_back(bodies[i]->where);
        session.check(prx_scene_add(session.context(), scene, bodies[i]->id, &wheres[i], &objects[i]));
        number[objects[i].id] = i;
    }
    std::vector<PrxObjectPair> pairs(256);
    std::uint64_t count = 0;
    PrxCullStats stats{};
    const auto ask = [&] {
        return prx_scene_colliding(session.context(), scene, reach, &def, pairs.data(), pairs.size(), &count, &stats);
    };
    // The first call builds the hierarchies and says how many there are.
    if (ask() == PRX_STATUS_BUFFER_TOO_SMALL) pairs.resize(static_cast<std::size_t>(count));
    const double ms = median_milliseconds(repeats, [&] {
        session.check(prx_scene_move(session.context(), scene, objects.data(), wheres.data(), objects.size()));
        session.check(ask());
    });

    std::set<std::uint32_t> colliding;
    std::vector<std::array<std::uint32_t, 2>> list;
    for (std::size_t i = 0; i < count; ++i) {
        list.push_back({number[pairs[i].first.id], number[pairs[i].second.id]});
        colliding.insert(list.back().begin(), list.back().end());
    }
    if (const auto picture = arguments.text(options::picture)) draw(*picture, bodies, colliding);
    Answer out;
    out.add_list("colliding", std::vector<std::uint32_t>(colliding.begin(), colliding.end()));
    out.add_list("pairs", list);
    out.add("box_pairs", stats.box_pairs);
    out.add("object_pairs", stats.object_pairs);
    out.add("candidates", stats.candidates);
    out.add("ms", ms);
    reply(out, arguments);
}

} // namespace

Command cull_command() {
    return {"cull",
            "Find which of many meshes touch, or are near each other",
            {{"MESH", "a mesh; the same file may come several times", true}},
            {poses, distance, culling::method, culling::path, culling::viewport, options::json, options::picture,
             options::repeat, options::device},
            run,
            "colliding and pairs count meshes from 0. box_pairs is what sweep and prune over boxes leaves,\n"
            "object_pairs what culling leaves of it, candidates the pairs of triangles that were compared."};
}

} // namespace cli
