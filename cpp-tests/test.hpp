// doctest's TEST_CASE and CHECK, and what these tests need besides; test_main.cpp has the main of every program.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <string>

namespace test {

/// A check at the place of its caller.
inline bool record(bool held, const char* file, int line, const std::string& message) {
    if (held) CHECK(held); // counted
    else ADD_FAIL_CHECK_AT(file, line, message);
    return held;
}

/// A check that the rest of its test case cannot do without.
inline void require(bool held, const char* file, int line, const std::string& message) {
    if (held) return;
    ADD_FAIL_AT(file, line, message); // throws, where there are exceptions
    std::exit(1);
}

inline bool near(double a, double b, double tolerance, const char* file, int line, const char* text) {
    // Written so that a NaN fails.
    INFO(a, " is not within ", tolerance, " of ", b);
    return record(std::fabs(a - b) <= tolerance, file, line, text);
}

}  // namespace test

#define CHECK_NEAR(a, b, tolerance) ::test::near((a), (b), (tolerance), __FILE__, __LINE__, #a " ~ " #b)
