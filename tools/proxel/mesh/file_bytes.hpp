// A whole file in memory, or an error message. Paths are in UTF-8 on every system.
#pragma once

#include <string>

namespace cli {

// Pipes and devices are read up to a bound. Not a mapping: a mapped file that another program truncates would kill the tool with a bus error.
std::string read_file_bytes(const std::string& path);

// Replaces the file. A half-written file is removed again.
void write_file_bytes(const std::string& path, const std::string& bytes);

} // namespace cli
