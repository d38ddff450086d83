// `proxel volume`: the intersection of two closed meshes, and how much of it is certain.
#include "commands/all.hpp"
#include "commands/voxels.hpp"

namespace cli {
namespace {

class Volume final : public Query {
    Body a_, b_;
    PrxLdiDef def_ = prx_ldi_def_default();
    PrxIntersectionVolume answer_{};
    bool exact_ = false;
    PrxExactIntersection shared_{};

    void takes(CLI::App& app) override {
        takes_two_meshes(app, a_, b_, "closed mesh");
        usage::number(app, "--resolution", def_.resolution, "N", "rays along each side of the volume of interest", {1});
        usage::word(app, "--cell-size", "X", "the distance of neighbouring rays instead, in mesh units", [this](const std::string& word) {
            def_.resolution = 0;
            def_.cell_size = static_cast<float>(usage::parse_number("--cell-size", word, {}));
        });
        usage::choice(app, "--rays", def_.rays,
                      {{"best", PRX_RAYS_BEST}, {"x", PRX_RAYS_X}, {"y", PRX_RAYS_Y}, {"z", PRX_RAYS_Z}, {"all", PRX_RAYS_ALL}},
                      "the axis of the rays");
        usage::choice(app, "--generator", def_.generator,
                      {{"compute", PRX_GENERATOR_COMPUTE}, {"lists", PRX_GENERATOR_LISTS}, {"stencil", PRX_GENERATOR_STENCIL}},
                      "how layers are found");
        usage::flag(app, "--exact", exact_, "from the triangles themselves, on the CPU: exact but for rounding; nothing is sampled");
        usage::notes(app,
                     "The answer: volume in cubic mesh units, the exact one is between lower and upper unless rays are flawed;\n"
                     "gradient_a is how it changes per length as A moves; deepest is the longest stretch of a ray inside both.",
                     "proxel volume a.ply b.ply --pose-b 0.3,0,0,0,0,0,1 --resolution 256");
    }

    void ask_by_rays() {
        check(prx_mesh_intersection_volume(context(), a_.id, &a_.where, b_.id, &b_.where, &def_, &answer_, nullptr));
    }

    void ask() override {
        if (!exact_) return ask_by_rays();
        check(prx_mesh_exact_intersection(context(), a_.id, &a_.where, b_.id, &b_.where, &shared_));
    }

    void tell(Answer& out) override {
        if (exact_) return tell_exactly(out);
        const std::uint32_t flawed = answer_.flawed_a + answer_.flawed_b;
        out.add("volume", answer_.volume, flawed == 0 ? "" : "(unreliable: see flawed)");
        out.add("lower", answer_.lower);
        out.add("upper", answer_.upper);
        out.add("centroid", answer_.centroid);
        out.add("gradient_a", answer_.gradient_a);
        out.add("deepest", answer_.deepest);
        out.add("flawed", flawed, flawed == 0 ? "" : "rays on which inside and outside cannot be told apart");
    }

    void tell_exactly(Answer& out) {
        const std::uint64_t disagreeing = shared_.disagreeing_a + shared_.disagreeing_b;
        out.add("volume", shared_.volume, disagreeing == 0 ? "" : "(unreliable: see disagreeing)");
        out.add("lower", shared_.lower);
        out.add("upper", shared_.upper);
        out.add("centroid", shared_.centroid);
        out.add("area_a", shared_.area_vector_a);
        out.add("area_b", shared_.area_vector_b);
        out.add("moments", shared_.second_moments);
        Listed<PrxIntersectionRegion> parts;
        check(parts.fill([&](auto... room) { return prx_mesh_intersection_regions(context(), a_.id, &a_.where, b_.id, &b_.where, room...); }));
        std::vector<Json> regions;
        for (const PrxIntersectionRegion& region : parts) {
            Json one = Json::object();
            one["volume"] = json_of(region.volume);
            one["centroid"] = json_of(region.centroid);
            one["normal"] = json_of(region.normal);
            one["depth"] = json_of(region.depth);
            regions.push_back(std::move(one));
        }
        out.add_list("regions", regions);
        out.add("curve_length", shared_.curve_length);
        out.add("crossings", shared_.crossings);
        out.add("disagreeing", disagreeing, disagreeing == 0 ? "" : "edges along which inside and outside do not agree: a mesh is not closed");
    }

    // The paper's figures 8 to 10: both bodies, see-through, and what they share in red.
    Image draw() override {
        // Rays know the box that the voxels are laid in.
        if (exact_) ask_by_rays();
        const Mesh shared = answer_.volume > 0 ? shared_voxels(session(), a_, b_, answer_.bounds) : Mesh{};
        View view = view_of({&a_, &b_}, 0.3f);
        view.caption = exact_ ? "a volume of " + brief(shared_.volume) + ", exactly"
                              : "a volume of " + brief(answer_.volume) + ", between " + brief(answer_.lower) + " and " + brief(answer_.upper);
        if (!shared.triangles.empty()) {
            view.surfaces.push_back({&shared, {}, palette::red, 1.0f, {}});
            view.legend.push_back({palette::red, "intersection"});
        }
        return draw_sheet({view}, 1);
    }
};

} // namespace

std::unique_ptr<Command> volume_command() { return std::make_unique<Volume>(); }

} // namespace cli
