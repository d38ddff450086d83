// Pictures of what Proxel sees, one per thing that debug drawing knows.
#include "canvas.hpp"

#include "mesh/shapes.hpp"
#include "picture/png.hpp"
#include "terminal/program.hpp"

#include <cmath>
#include <cstdio>

namespace {

using drawn::Canvas;

constexpr std::uint32_t fine = 0xaab6c2ff; // the color of meshes behind what is shown

struct Painter {
    const proxel::Context& context;
    std::string folder;

    proxel::Mesh mesh(const cli::Mesh& of, const char* label, std::uint32_t flags = 0) const {
        return context.mesh(of.positions, of.triangles, label, flags).value();
    }
    proxel::Field field(const proxel::Mesh& of) const {
        proxel::Field field = context.bake(of).value();
        field.wait().value();
        return field;
    }
    void save(const Canvas& canvas, const std::string& name, const std::string& title) const {
        const std::string path = folder + "/debug-draw-" + name + ".png";
        cli::write_png(path, canvas.picture(title, canvas.counts(), 620, 460));
        std::printf("%s: %s\n", path.c_str(), canvas.counts().c_str());
    }

    void meshes() const {
        const proxel::Mesh rabbit = mesh(cli::rabbit(1500), "rabbit");
        Canvas edges, clusters, boxes;
        edges.mesh(context, rabbit).value();
        save(edges, "mesh", "a mesh");
        clusters.mesh(context, rabbit).value();
        clusters.clusters(context, rabbit).value();
        save(clusters, "clusters", "its clusters");
        boxes.hierarchy(context, rabbit, 2).value();
        save(boxes, "hierarchy", "level 2 of its hierarchy");
    }
    void fields() const {
        const proxel::Mesh knot = mesh(cli::knot(3000), "knot");
        const proxel::Field field = this->field(knot);
        Canvas canvas;
        canvas.options.resolution = 64;
        canvas.field(context, field).value();
        save(canvas, "field", "a field: its domain and where it is zero");
        Canvas slices;
        slices.options.resolution = 96;
        slices.field_slice(context, field, 2, 0).value();
        slices.field_slice(context, field, 0, 0.2f).value();
        save(slices, "slices", "slices of the field");
    }
    void contacts() const {
        const proxel::Mesh knot = mesh(cli::knot(1500), "knot");
        const proxel::Field field = this->field(knot);
        PrxBody a = proxel::body(knot, field), b = a;
        b.position[2] = 0.62;
        b.rotation[2] = 0.26f, b.rotation[3] = 0.966f;
        PrxContactsDef def = prx_contacts_def_default();
        def.distance = 0.03f;
        Canvas canvas;
        canvas.options.scale = 0.5f;
        canvas.contacts(context, context.contacts(a, b, def).value().contacts).value();
        canvas.options.color = fine;
        PrxPose pose = prx_pose_identity();
        canvas.edges(context, {knot, pose});
        pose.position[2] = 0.62f, pose.rotation[2] = 0.26f, pose.rotation[3] = 0.966f;
        canvas.edges(context, {knot, pose});
        save(canvas, "contacts", "contacts of two knots");
    }
    void near() const {
        const proxel::Mesh ring = mesh(cli::torus(800), "ring");
        PrxPose turned = prx_pose_identity();
        turned.position[0] = 0.7f;
        turned.rotation[0] = turned.rotation[3] = std::sqrt(0.5f);
        PrxNearDef def = prx_near_def_default();
        def.thickness = 0.13;
        Canvas canvas;
        canvas.near(context, ring, {ring, turned}, context.near_pairs(ring, {ring, turned}, def).value()).value();
        canvas.options.color = fine;
        canvas.edges(context, ring);
        canvas.edges(context, {ring, turned});
        save(canvas, "near", "what of two rings is closer than 0.13");
    }
    void impacts() const {
        cli::Mesh ball = cli::sphere(320), below = cli::box(300);
        for (cli::Vec3& p : ball.positions) p.y += 2.6f;
        const proxel::Mesh from = mesh(ball, "ball"), box = mesh(below, "box");
        for (cli::Vec3& p : ball.positions) p.y -= 1.0f, p.x += 0.3f;
        const proxel::Mesh to = mesh(ball, "ball");
        Canvas canvas;
        canvas.options.scale = 0.3f;
        canvas.impacts(context, from, to, box, box, context.impacts(from, to, box, box).value()).value();
        canvas.options.color = fine;
        canvas.edges(context, from);
        canvas.edges(context, box);
        save(canvas, "impacts", "what meets while a ball falls onto a box");
    }
    void regions() const {
        const proxel::Mesh knot = mesh(cli::knot(1500), "knot"), ball = mesh(cli::sphere(320), "ball");
        PrxPose aside = prx_pose_identity();
        aside.position[0] = 0.9f;
        Canvas canvas;
        canvas.regions(context, context.intersection(knot, {ball, aside}).value()).value();
        canvas.options.color = fine;
        canvas.edges(context, knot);
        save(canvas, "regions", "what a knot and a ball have in common");
    }
};

void run(const std::string& folder) {
    const proxel::Context context = proxel::Context::open().value();
    const Painter painter{context, folder};
    painter.meshes();
    painter.fields();
    painter.contacts();
    painter.near();
    painter.impacts();
    painter.regions();
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Draw what Proxel sees: one picture for each thing.", "debug_draw_pictures");
    std::string folder = ".";
    app.add_option("FOLDER", folder, "where the pictures go");
    return cli::run_program(app, argc, argv, [&] { run(folder); });
}
