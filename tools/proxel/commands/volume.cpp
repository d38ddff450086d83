// `proxel volume`: the intersection of two closed meshes, and how much of it is certain.
#include "commands/all.hpp"
#include "commands/voxels.hpp"
#include "failure.hpp"
#include "picture/contact_marks.hpp"

namespace cli {
namespace {

class Volume final : public Query {
    Body a_, b_;
    PrxLdiDef def_ = prx_ldi_def_default();
    PrxIntersectionVolume answer_{};
    bool exact_ = false, narrow_ = false;
    PrxExactIntersection shared_{};
    PrxIntersection intersection_{};
    PrxBooleanOperation operation_ = PRX_BOOLEAN_OPERATION_INTERSECTION;
    std::string boundary_;
    bool contacts_ = false;
    PrxRegionContactsDef contacts_def_ = prx_region_contacts_def_default();
    Listed<PrxContact> found_;

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
        usage::flag(app, "--narrow", narrow_, "lower and upper closer together, by integrating the triangles: two to five times the work");
        usage::flag(app, "--exact", exact_, "from the triangles themselves, on the CPU: exact but for rounding; nothing is sampled");
        usage::choice(app, "--operation", operation_,
                      {{"intersection", PRX_BOOLEAN_OPERATION_INTERSECTION}, {"union", PRX_BOOLEAN_OPERATION_UNION}, {"difference", PRX_BOOLEAN_OPERATION_DIFFERENCE}},
                      "what --boundary makes of A and B");
        usage::text(app, "--boundary", boundary_, "FILE.ply", "with --exact: write its boundary, pieces of both meshes, closed; .ply, .obj, .stl or .off");
        usage::flag(app, "--contacts", contacts_, "with --exact: each part of the intersection as a contact patch");
        usage::number(app, "--points", contacts_def_.points, "N", "with --contacts: keep N contacts per patch, 0 for all", {0, 32});
        usage::notes(app,
                     "The answer: volume in cubic mesh units, the exact one is between lower and upper unless rays are flawed;\n"
                     "gradient_a is how it changes per length as A moves; deepest is the longest stretch of a ray inside both.",
                     "proxel volume a.ply b.ply --pose-b 0.3,0,0,0,0,0,1 --resolution 256");
    }

    void read() override {
        a_.in_doubles = b_.in_doubles = exact_ && !contacts_;
        if (contacts_ && !exact_) throw Failure("--contacts needs --exact: rays do not know the parts.");
        if (boundary_.empty()) return;
        if (!exact_) throw Failure("--boundary needs --exact: rays do not know the boundary.");
        if (!can_write_mesh(boundary_)) throw Failure(boundary_ + ": meshes are written as .ply, .obj, .stl or .off; choose such a name.");
    }

    void ask_by_rays() {
        if (narrow_) def_.flags |= PRX_LDI_NARROW;
        check(prx_mesh_intersection_volume(context(), a_.id, &a_.where, b_.id, &b_.where, &def_, &answer_, nullptr));
    }

    void ask() override {
        if (!exact_) return ask_by_rays();
        if (intersection_.id != 0) check(prx_intersection_destroy(context(), intersection_));
        check(prx_intersection_create(context(), a_.id, &a_.where, b_.id, &b_.where, &intersection_));
        check(prx_intersection_summary(context(), intersection_, &shared_));
        if (contacts_) check(found_.fill([&](auto... room) { return prx_intersection_contacts(context(), intersection_, &contacts_def_, nullptr, 0, nullptr, room...); }));
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
        const std::uint64_t unbalanced = shared_.unbalanced_edges_a + shared_.unbalanced_edges_b;
        out.add("volume", shared_.volume, unbalanced != 0 ? "(unreliable: see unbalanced)" : disagreeing != 0 ? "(unreliable: see disagreeing)" : "");
        out.add("lower", shared_.lower);
        out.add("upper", shared_.upper);
        out.add("centroid", shared_.centroid);
        out.add("area_a", shared_.area_vector_a);
        out.add("area_b", shared_.area_vector_b);
        out.add("moments", shared_.second_moments);
        Listed<PrxIntersectionRegion> parts;
        check(parts.fill([&](auto... room) { return prx_intersection_regions(context(), intersection_, room...); }));
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
        if (contacts_) tell_contacts(out);
        if (!boundary_.empty()) write_mesh(boundary_, boundary(operation_).first);
        out.add("curve_length", shared_.curve_length);
        out.add("crossings", shared_.crossings);
        out.add("centroid_error", shared_.centroid_error);
        out.add("area_a_error", shared_.area_vector_a_error);
        out.add("area_b_error", shared_.area_vector_b_error);
        out.add("moments_error", shared_.second_moments_error);
        out.add("curve_length_error", shared_.curve_length_error);
        out.add("unbalanced", unbalanced, unbalanced == 0 ? "" : "edges where a mesh is open or not consistently oriented: it has no inside");
        out.add("disagreeing", disagreeing, disagreeing == 0 ? "" : "edges along which inside and outside do not agree: a mesh is not closed");
    }

    void tell_contacts(Answer& out) const {
        std::vector<Json> contacts;
        for (const PrxContact& c : found_) {
            Json one = Json::object();
            one["point_a"] = json_of(c.world_a);
            one["point_b"] = json_of(c.world_b);
            one["normal"] = json_of(c.normal);
            one["separation"] = json_of(c.separation);
            one["area"] = json_of(c.area);
            one["patch"] = c.patch;
            contacts.push_back(std::move(one));
        }
        out.add_list("contacts", contacts);
    }

    // A boundary as a mesh, and what each triangle is a piece of.
    std::pair<Mesh, std::vector<PrxBoundaryTriangle>> boundary(PrxBooleanOperation operation) const {
        Listed<PrxBoundaryVertex> vertices;
        Listed<PrxBoundaryTriangle> triangles;
        check(vertices.fill([&](auto... room) { return prx_intersection_boundary_vertices(context(), intersection_, operation, room...); }));
        check(triangles.fill([&](auto... room) { return prx_intersection_boundary_triangles(context(), intersection_, operation, room...); }));
        std::pair<Mesh, std::vector<PrxBoundaryTriangle>> made;
        made.second.assign(triangles.begin(), triangles.end());
        for (const PrxBoundaryVertex& v : vertices) made.first.positions.push_back(point(v.position));
        for (const PrxBoundaryTriangle& t : triangles) made.first.triangles.push_back({t.vertices[0], t.vertices[1], t.vertices[2]});
        return made;
    }


    // The regions in colours of their own, and the curves where the surfaces cross.
    Image draw_exactly() const {
        View view = view_of({&a_, &b_}, 0.25f);
        std::pair<Mesh, std::vector<PrxBoundaryTriangle>> outer, inner;
        std::size_t regions = 0;
        if (shared_.disagreeing_a + shared_.disagreeing_b == 0) {
            // The surfaces as they were would lie upon the regions.
            outer = boundary(PRX_BOOLEAN_OPERATION_UNION);
            inner = boundary(PRX_BOOLEAN_OPERATION_INTERSECTION);
            Surface outside{&outer.first, {}, palette::clay, 0.25f, {}}, shared{&inner.first, {}, palette::red, 1.0f, {}};
            for (const PrxBoundaryTriangle& triangle : outer.second) outside.triangle_colours.push_back(triangle.mesh == 0 ? palette::blue : palette::amber);
            for (const PrxBoundaryTriangle& triangle : inner.second) {
                shared.triangle_colours.push_back(patch_colour(triangle.region));
                regions = std::max<std::size_t>(regions, triangle.region + 1);
            }
            view.surfaces = {std::move(outside), std::move(shared)};
        }
        Listed<PrxIntersectionCurve> curves;
        Listed<PrxCurvePoint> points;
        check(curves.fill([&](auto... room) { return prx_intersection_curves(context(), intersection_, room...); }));
        check(points.fill([&](auto... room) { return prx_intersection_curve_points(context(), intersection_, room...); }));
        for (const PrxIntersectionCurve& curve : curves) {
            for (std::uint32_t i = curve.closed != 0 ? 0 : 1; i < curve.points; ++i) {
                const std::uint32_t before = i == 0 ? curve.points - 1 : i - 1;
                view.marks.push_back({Mark::Kind::segment, point(points.begin()[curve.first + before].position), point(points.begin()[curve.first + i].position), palette::ink, 2.5f});
            }
        }
        if (contacts_) mark(view);
        view.caption = "a volume of " + brief(shared_.volume) + ", exactly, in " + std::to_string(regions) + (regions == 1 ? " region; " : " regions; ") +
                       "the surfaces cross along " + std::to_string(curves.count()) + (curves.count() == 1 ? " curve" : " curves");
        return draw_sheet({view}, 1);
    }

    void mark(View& view) const {
        ContactMarks marks;
        for (const PrxContact& c : found_) {
            marks.points_a.push_back(point(c.world_a));
            marks.points_b.push_back(point(c.world_b));
            marks.normals.push_back(point(c.normal));
            marks.patches.push_back(c.patch);
        }
        mark_contacts(view, marks);
    }

    // The paper's figures 8 to 10: both bodies, see-through, and what they share in red.
    Image draw() override {
        if (exact_) return draw_exactly();
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
