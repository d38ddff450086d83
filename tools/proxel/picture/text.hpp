// Lettering: the dots of a glyph are joined into round strokes, so that it looks drawn at every size.
#pragma once

#include "picture/image.hpp"

#include <string>

namespace cli {

// How wide the text is in pixels, where a capital is `height` pixels high.
float text_width(const std::string& text, float height);

// Draws the text with its base line at `y`, beginning at `x`.
void draw_text(Image& image, const std::string& text, float x, float y, float height, Colour colour);

// A filled round dot, the mark before a legend's words.
void draw_disc(Image& image, float x, float y, float radius, Colour colour);

} // namespace cli
