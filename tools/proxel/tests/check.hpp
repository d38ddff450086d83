// doctest and CHECK_NEAR as the library's C++ tests have them, and a check of words.
#pragma once

#include "test.hpp"

inline void check_contains(const std::string& text, const std::string& part, const char* file, int line) {
    ::test::record(text.find(part) != std::string::npos, file, line, "\"" + text + "\" does not contain \"" + part + "\"");
}

#define CHECK_CONTAINS(text, part) check_contains((text), (part), __FILE__, __LINE__)
