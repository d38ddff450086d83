// An engine's renderer in small: what is drawn becomes surfaces and marks of the tool's pictures.
#pragma once

#include "picture/view.hpp"

#include <proxel/debug_draw.hpp>

#include <memory>
#include <string>

namespace drawn {

class Canvas : public proxel::DebugDraw {
public:
    // The edges of a mesh alone, fine.
    void edges(const proxel::Context& context, const proxel::Placed& mesh);

    // How much was drawn.
    std::string counts() const;

    // What was drawn so far, as a picture of this size.
    cli::Image picture(const std::string& title, const std::string& caption, int width, int height) const;

protected:
    void line(const float* from, const float* to, std::uint32_t color) override;
    void triangle(const float* a, const float* b, const float* c, std::uint32_t color) override;
    void point(const float* at, std::uint32_t color) override;

private:
    cli::Mesh triangles_;
    std::vector<cli::Colour> colours_;
    std::vector<cli::Mark> marks_;
    float opacity_ = 1;
    std::size_t lines_ = 0, points_ = 0;
    bool only_lines_ = false;
};

} // namespace drawn
