// The commands, one file each.
#pragma once

#include "terminal/command.hpp"

namespace cli {

Command info_command();
Command shape_command();

} // namespace cli
