// A field as people can see it: three cuts through the middle of its domain.
#pragma once

#include "picture/image.hpp"
#include "session.hpp"

#include <string>

namespace cli {

// Samples the field and draws the cuts x, y and z = middle side by side, in one range of colours and at one scale.
Image draw_field(const Session& session, PrxField field, const std::string& title);

} // namespace cli
