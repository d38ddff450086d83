#include "commands/field_picture.hpp"

#include "picture/sheet.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace cli {
namespace {

constexpr int longest = 420; // samples along the longest side of a cut
constexpr std::array<const char*, 3> names{"x", "y", "z"};

struct Domain {
    std::array<float, 3> origin{};
    std::array<float, 3> size{};
};

// Which axes of the field run to the right and up, with y up wherever it is in the cut.
struct Cut {
    std::size_t across;
    std::size_t right;
    std::size_t up;
};
constexpr std::array<Cut, 3> cuts{{{0, 2, 1}, {1, 0, 2}, {2, 0, 1}}};

Domain domain_of(const PrxFieldInfo& info) {
    Domain domain;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        domain.origin[axis] = info.grid.origin[axis];
        domain.size[axis] = info.grid.cell_size * static_cast<float>(info.grid.nodes[axis] - 1);
    }
    return domain;
}

std::string rounded(float value) {
    char text[32];
    return std::string(text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, 3).ptr);
}

Slice sample_cut(const Session& session, PrxField field, const Domain& domain, const Cut& cut, float step) {
    Slice slice;
    slice.width = domain.size[cut.right];
    slice.height = domain.size[cut.up];
    slice.columns = std::max(2, static_cast<int>(slice.width / step));
    slice.rows = std::max(2, static_cast<int>(slice.height / step));
    const auto middle_of = [](int i, int count) { return (static_cast<float>(i) + 0.5f) / static_cast<float>(count); };
    std::array<float, 3> at{};
    at[cut.across] = domain.origin[cut.across] + 0.5f * domain.size[cut.across];
    std::vector<std::array<float, 3>> points;
    for (int row = 0; row < slice.rows; ++row) {
        at[cut.up] = domain.origin[cut.up] + slice.height * middle_of(row, slice.rows);
        for (int column = 0; column < slice.columns; ++column) {
            at[cut.right] = domain.origin[cut.right] + slice.width * middle_of(column, slice.columns);
            points.push_back(at);
        }
    }
    std::vector<PrxSample> samples(points.size());
    session.check(prx_field_sample(session.context(), field, nullptr, points.data(),
                                   static_cast<std::uint32_t>(points.size()), sizeof points[0], samples.data()));
    for (const PrxSample& sample : samples) slice.values.push_back(sample.distance);
    slice.title = std::string(names[cut.across]) + " = " + rounded(at[cut.across]);
    slice.right = names[cut.right];
    slice.up = names[cut.up];
    return slice;
}

} // namespace

Image draw_field(const Session& session, PrxField field, const std::string& title) {
    PrxFieldInfo info{};
    session.check(prx_field_info(session.context(), field, &info));
    const Domain domain = domain_of(info);
    const float step = *std::max_element(domain.size.begin(), domain.size.end()) / static_cast<float>(longest);
    std::vector<Slice> slices;
    float farthest = 0.0f;
    float deepest = 0.0f;
    for (const Cut& cut : cuts) {
        slices.push_back(sample_cut(session, field, domain, cut, step));
        for (const float value : slices.back().values) {
            farthest = std::max(farthest, std::fabs(value));
            deepest = std::max(deepest, -value);
        }
    }
    // The corners of the domain would bleach the inside, which is what people look for.
    const float wished = deepest > 0.0f ? std::min(farthest, 1.6f * deepest) : farthest;
    const float line = contour_step(wished);
    const float range = line * std::ceil(wished / line);
    const auto& nodes = info.grid.nodes;
    slices[0].caption = title;
    slices[1].caption = std::to_string(nodes[0]) + " x " + std::to_string(nodes[1]) + " x " + std::to_string(nodes[2]) +
                        " nodes, " + rounded(info.grid.cell_size) + " apart";
    slices[2].caption = "in the mesh's unit: lines every " + rounded(contour_step(range)) + ", off by at most " +
                        rounded(info.error);
    std::vector<Panel> panels;
    for (Slice& slice : slices) {
        slice.range = range;
        slice.has_scale = &slice == &slices.back();
        slice.above = "outside";
        slice.below = "inside";
        slice.extent = *std::max_element(domain.size.begin(), domain.size.end());
        panels.emplace_back(std::move(slice));
    }
    return draw_sheet(panels, 3, 464, 440);
}

} // namespace cli
