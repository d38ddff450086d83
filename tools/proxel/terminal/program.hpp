// Runs a program as the shell expects it: 0 answered, 1 could not, 2 wrong usage; messages on stderr.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace cli {

// Parses the words, then calls `body`. Help goes to stdout. Wrong usage, found by CLI11 or thrown by `body` as WrongUsage,
// goes to stderr with the usage.
int run_program(CLI::App& app, int argc, const char* const* argv, const std::function<void()>& body);

} // namespace cli
