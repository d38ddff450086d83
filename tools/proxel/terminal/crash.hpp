// Crashes that nothing in this program can prevent: drivers and their compilers end a process that has no memory left.
#pragma once

namespace cli {

// From now on a crash says on stderr which library it was in, and the exit code is that of what could not be answered. The
// name of the program stays the caller's.
void report_crashes(const char* program);

} // namespace cli
