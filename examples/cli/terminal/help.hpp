// The usage of the tool and of each command, made from the table of commands, so that it cannot be out of date.
#pragma once

#include "terminal/command.hpp"

#include <string>

namespace cli {

std::string usage(const Command& command); // one line
std::string help(const Command& command);  // the whole page
std::string help(const std::vector<Command>& all);

} // namespace cli
