// The commands, one file each.
#pragma once

#include "terminal/command.hpp"

namespace cli {

Command shape_command();

} // namespace cli
