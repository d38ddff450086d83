#include "commands/query.hpp"

#include "picture/png.hpp"
#include "terminal/timing.hpp"

#include <cstdio>

namespace cli {

void Command::declare_output(CLI::App& app) {
    usage::text(app, "--picture", picture_, "FILE.png", "draw what was computed");
    usage::flag(app, "--json", json_, "print one JSON object and nothing else");
}

void Command::reply(const Answer& answer) const { std::fputs((json_ ? answer.json() : answer.table()).c_str(), stdout); }

void Query::declare(CLI::App& app) {
    takes(app);
    declare_output(app);
    usage::number(app, "--repeat", repeats_, "N", "ask N times on warm data; ms is the median", {1});
    usage::text(app, "--device", device_, "NAME", "auto, host (no Vulkan at all), or a part of a Vulkan device's name");
}

void Query::run() {
    read();
    for (Body* body : bodies_) body->read();
    session_.emplace(device_);
    for (Body* body : bodies_) body->hand_over(*session_);
    prepare();
    if (warms_up()) ask();
    const double ms = median_milliseconds(repeats_, [&] {
        for (const Body* body : deforming_) {
            if (deform_) body->update(*session_);
        }
        ask();
    });
    if (!picture_.empty()) write_png(picture_, draw());
    Answer out;
    tell(out);
    out.add("ms", ms);
    reply(out);
}

void Query::takes_body(CLI::App& app, Body& body, const std::string& name, const std::string& meaning, const std::string& pose_option) {
    usage::operand(app, name, body.path, meaning);
    if (!pose_option.empty()) usage::pose(app, pose_option, body.pose, "where " + name + " is, in mesh units and as a quaternion");
    bodies_.push_back(&body);
}

void Query::takes_optional_body(CLI::App& app, OptionalBody& body, const std::string& name, const std::string& meaning,
                                const std::string& pose_option) {
    const std::string symbol = name.front() == '-' ? "FILE" : " ";
    usage::word(app, name, symbol, meaning, [&body](const std::string& given) { body.path = given; });
    if (!pose_option.empty()) usage::pose(app, pose_option, body.pose, "where " + name + " is, in mesh units and as a quaternion");
    bodies_.push_back(&body);
}

void Query::takes_solid(CLI::App& app, Solid& solid, const std::string& name, const std::string& pose_option) {
    takes_body(app, solid, name, "a closed mesh, or a field from bake", pose_option);
    usage::number(app, "--field-resolution", solid.cells, "N", "cells along the longest side of the field of " + name + ", if it is a mesh",
                  {1, 65535});
}

void Query::takes_two_meshes(CLI::App& app, Body& a, Body& b, const std::string& kind) {
    takes_body(app, a, "A", "a " + kind, "--pose-a");
    takes_body(app, b, "B", "another " + kind, "--pose-b");
    takes_deform(app, {&b}, "B's");
}

void Query::takes_solid_and_mesh(CLI::App& app, Solid& a, Body& b) {
    takes_solid(app, a, "A", "--pose-a");
    takes_body(app, b, "B", "a mesh", "--pose-b");
    takes_deform(app, {&b}, "B's");
}

void Query::takes_deform(CLI::App& app, std::vector<const Body*> bodies, const std::string& whose) {
    deforming_ = std::move(bodies);
    usage::flag(app, "--deform", deform_, "hand " + whose + " positions over anew before each repeat, inside the time");
}

View view_of(std::initializer_list<const Body*> bodies, float opacity) {
    View view;
    std::size_t number = 0;
    for (const Body* body : bodies) {
        const Colour colour = number++ == 0 ? palette::blue : palette::amber;
        view.title += (view.title.empty() ? "" : " and ") + body->name();
        if (body->mesh.triangles.empty()) continue;
        view.surfaces.push_back({&body->mesh, body->pose, colour, opacity, {}});
        view.legend.push_back({colour, body->name()});
    }
    return view;
}

void mark_nearest(View& view, Vec3 on_a, Vec3 on_b, const std::string& name) {
    view.marks.push_back({Mark::Kind::segment, on_a, on_b, palette::red, 4.0f});
    for (const Vec3 p : {on_a, on_b}) view.marks.push_back({Mark::Kind::dot, p, p, palette::red, 15.0f});
    view.legend.push_back({palette::red, name});
}

} // namespace cli
