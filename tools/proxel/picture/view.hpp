// What a picture shows of the world: surfaces, marks upon them, and words around them.
#pragma once

#include "mesh/mesh.hpp"
#include "picture/slice.hpp"
#include "pose.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cli {

struct Surface {
    const Mesh* mesh = nullptr; // must outlive the view
    Pose pose;
    Colour colour = palette::clay;
    float opacity = 1.0f;
    std::vector<Colour> triangle_colours; // one per triangle instead of `colour`, or none
};

// Drawn round and with depth; where a surface hides it, it shines through faintly.
struct Mark {
    enum class Kind { dot, segment, arrow };
    Kind kind = Kind::dot;
    Vec3 from;
    Vec3 to; // a dot has only `from`
    Colour colour = palette::ink;
    float width = 5.0f; // in pixels: of the line, or the dot's diameter
};

struct LegendEntry {
    Colour colour;
    std::string text;
};

struct View {
    std::string title;
    std::string caption;
    std::vector<LegendEntry> legend;
    std::optional<Scale> scale; // of the colours, at the right, if they stand for numbers
    std::vector<Surface> surfaces;
    std::vector<Mark> marks;
    Vec3 towards_eye{0.55f, 0.42f, 1.0f}; // from the scene's middle; y is up
    bool perspective = true;              // orthographic otherwise
    std::vector<Vec3> framed; // points that just fit into the picture, for an eye that stands still; none for all there is
};

// Draws the surfaces and marks so that they fill the rectangle, and nothing else. Throws Failure if the view is empty.
void render(const View& view, Image& image, Rectangle where);

} // namespace cli
