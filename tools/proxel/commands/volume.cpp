// `proxel volume`: the intersection of two closed meshes, and how much of it is certain.
#include "commands/all.hpp"
#include "commands/voxels.hpp"

namespace cli {
namespace {

class Volume final : public Query {
    Body a_, b_;
    PrxLdiDef def_ = prx_ldi_def_default();
    PrxIntersectionVolume answer_{};

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
        usage::notes(app,
                     "The answer: volume in cubic mesh units, the exact one is between lower and upper unless rays are flawed;\n"
                     "gradient_a is how it changes per length as A moves; deepest is the longest stretch of a ray inside both.",
                     "proxel volume a.ply b.ply --pose-b 0.3,0,0,0,0,0,1 --resolution 256");
    }

    void ask() override {
        check(prx_mesh_intersection_volume(context(), a_.id, &a_.where, b_.id, &b_.where, &def_, &answer_, nullptr));
    }

    void tell(Answer& out) override {
        const std::uint32_t flawed = answer_.flawed_a + answer_.flawed_b;
        out.add("volume", answer_.volume, flawed == 0 ? "" : "(unreliable: see flawed)");
        out.add("lower", answer_.lower);
        out.add("upper", answer_.upper);
        out.add("centroid", answer_.centroid);
        out.add("gradient_a", answer_.gradient_a);
        out.add("deepest", answer_.deepest);
        out.add("flawed", flawed, flawed == 0 ? "" : "rays on which inside and outside cannot be told apart");
    }

    // The paper's figures 8 to 10: both bodies, see-through, and what they share in red.
    Image draw() override {
        const Mesh shared = answer_.volume > 0 ? shared_voxels(session(), a_, b_, answer_.bounds) : Mesh{};
        View view = view_of({&a_, &b_}, 0.3f);
        view.caption = "a volume of " + brief(answer_.volume) + ", between " + brief(answer_.lower) + " and " + brief(answer_.upper);
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
