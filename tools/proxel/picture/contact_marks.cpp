#include "picture/contact_marks.hpp"

#include "box.hpp"
#include "failure.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace cli {
namespace {

constexpr std::size_t most_legend_entries = 6;

std::string counted(std::size_t count, const std::string& what) { return std::to_string(count) + " " + what + (count == 1 ? "" : "s"); }

float radius(const View& view, const ContactMarks& contacts) {
    Box box;
    for (const Surface& surface : view.surfaces) {
        for (const Vec3 p : surface.mesh->positions) box.add(place(surface.pose, p));
    }
    for (const Vec3 p : contacts.points_a) box.add(p);
    return box.radius();
}

} // namespace

Colour patch_colour(std::uint32_t patch) {
    // The golden angle never comes back to a hue; three lightnesses tell apart what is near in hue.
    const float hue = 0.5f + 2.39996323f * static_cast<float>(patch % 1024);
    const float lightness = 0.48f + 0.13f * static_cast<float>(patch % 3);
    return from_oklab({lightness, 0.15f * std::cos(hue), 0.15f * std::sin(hue)});
}

void mark_contacts(View& view, const ContactMarks& contacts) {
    const std::size_t count = contacts.points_a.size();
    if (contacts.points_b.size() != count || contacts.normals.size() != count || contacts.patches.size() != count) {
        throw Failure("the contacts cannot be drawn: " + std::to_string(count) + ", " + std::to_string(contacts.points_b.size()) + ", " +
                      std::to_string(contacts.normals.size()) + " and " + std::to_string(contacts.patches.size()) +
                      " points, normals and patches do not match.");
    }
    const float arrow = 0.25f * radius(view, contacts);
    std::map<std::uint32_t, std::size_t> sizes;
    for (std::size_t i = 0; i < count; ++i) {
        const Colour colour = patch_colour(contacts.patches[i]);
        const Vec3 a = contacts.points_a[i];
        const Vec3 b = contacts.points_b[i];
        view.marks.push_back({Mark::Kind::segment, a, b, colour, 3.0f});
        for (const Vec3 p : {a, b}) view.marks.push_back({Mark::Kind::dot, p, p, colour, 11.0f});
        view.marks.push_back({Mark::Kind::arrow, b, b + arrow * contacts.normals[i], colour, 3.5f});
        ++sizes[contacts.patches[i]];
    }
    std::size_t shown = 0;
    for (const auto& [patch, size] : sizes) {
        if (++shown > most_legend_entries) break;
        view.legend.push_back({patch_colour(patch), "patch " + std::to_string(patch) + ": " + counted(size, "contact")});
    }
    const std::size_t more = sizes.size() - std::min(sizes.size(), most_legend_entries);
    if (more > 0) view.legend.push_back({palette::faint_ink, std::to_string(more) + " more"});
}

} // namespace cli
