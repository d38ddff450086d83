// `proxel cull`: which of many meshes touch, or are near each other.
#include "commands/all.hpp"
#include "commands/culling.hpp"
#include "failure.hpp"
#include "mesh/places.hpp"

#include <deque>
#include <map>
#include <set>

namespace cli {
namespace {

class Cull final : public Query {
    std::vector<std::string> files_;
    std::string poses_file_;
    double distance_ = 0.0;
    PrxCullDef def_ = prx_cull_def_default();
    std::deque<Body> bodies_;
    PrxScene scene_{};
    std::vector<PrxObject> objects_;
    std::vector<PrxPose> poses_;
    Listed<PrxObjectPair> pairs_;
    PrxCullStats stats_{};

    void takes(CLI::App& app) override {
        usage::operand(app, "MESH", files_, "a mesh; the same file may come several times");
        usage::text(app, "--poses", poses_file_, "FILE", "where the meshes are: tx,ty,tz,qx,qy,qz,qw on a line for each (default identity)");
        usage::number(app, "--distance", distance_, "D", "pairs at most D apart, in mesh units; 0 for those that touch", {0});
        takes_culling(app, def_);
        usage::notes(app,
                     "The answer: colliding and pairs count meshes from 0. box_pairs is what sweep and prune over boxes leaves,\n"
                     "object_pairs what culling leaves of it, candidates the pairs of triangles that were compared.",
                     "proxel cull a.ply b.ply b.ply --poses poses.txt");
    }

    void read() override {
        const std::vector<Pose> poses = poses_file_.empty() ? std::vector<Pose>(files_.size()) : read_poses(poses_file_);
        if (poses.size() != files_.size())
            throw Failure(poses_file_ + ": there are " + std::to_string(poses.size()) + " poses for " + std::to_string(files_.size()) +
                          " meshes; give one for each.");
        for (std::size_t i = 0; i < files_.size(); ++i) bodies_.emplace_back(files_[i], poses[i]).read();
    }

    void prepare() override {
        check(prx_scene_create(context(), &scene_));
        for (Body& body : bodies_) {
            body.hand_over(session());
            poses_.push_back(body.where);
            check(prx_scene_add(context(), scene_, body.id, &body.where, &objects_.emplace_back()));
        }
    }

    void ask() override {
        check(prx_scene_move(context(), scene_, objects_.data(), poses_.data(), objects_.size()));
        check(pairs_.fill([&](auto* out, auto room, auto* count) {
            return prx_scene_colliding(context(), scene_, distance_, &def_, out, room, count, &stats_);
        }));
    }

    std::vector<std::array<std::uint32_t, 2>> numbered_pairs() const {
        std::map<std::uint64_t, std::uint32_t> number;
        for (std::uint32_t i = 0; i < objects_.size(); ++i) number[objects_[i].id] = i;
        return pairs_.pairs([&](const PrxObjectPair& p) { return std::array{number.at(p.first.id), number.at(p.second.id)}; });
    }

    std::set<std::uint32_t> colliding() const {
        std::set<std::uint32_t> out;
        for (const auto& pair : numbered_pairs()) out.insert(pair.begin(), pair.end());
        return out;
    }

    void tell(Answer& out) override {
        const std::set<std::uint32_t> touching = colliding();
        out.add_list("colliding", std::vector<std::uint32_t>(touching.begin(), touching.end()));
        out.add_list("pairs", numbered_pairs());
        out.add("box_pairs", stats_.box_pairs);
        out.add("object_pairs", stats_.object_pairs);
        out.add("candidates", stats_.candidates);
    }

    Image draw() override {
        const std::set<std::uint32_t> touching = colliding();
        View view;
        view.title = std::to_string(bodies_.size()) + " meshes";
        const std::string near = distance_ > 0.0 ? " within " + brief(distance_) + " of another" : " in contact with another";
        view.caption = std::to_string(touching.size()) + near;
        for (std::uint32_t i = 0; i < bodies_.size(); ++i)
            view.surfaces.push_back({&bodies_[i].mesh, bodies_[i].pose, touching.count(i) > 0 ? palette::red : palette::blue, 0.8f, {}});
        view.legend = {{palette::red, near.substr(1)}, {palette::blue, "alone"}};
        return draw_sheet({view}, 1);
    }
};

} // namespace

std::unique_ptr<Command> cull_command() { return std::make_unique<Cull>(); }

} // namespace cli
