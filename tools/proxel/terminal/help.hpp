// The usage of the tool and of each command, made from the table of commands, so that it cannot be out of date.
#pragma once

#include "terminal/command.hpp"

#include <string>

namespace cli {

// `program` is what stands before the command's name; a program of one command has nothing there.
std::string usage(const Command& command, const std::string& program = "proxel "); // one line
std::string help(const Command& command, const std::string& program = "proxel ");  // the whole page
std::string help(const std::vector<Command>& all);

} // namespace cli
