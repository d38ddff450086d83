// A test framework of one page: CHECK says what failed and where; a test program returns how often.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

inline int failures = 0;

inline void check(bool holds, const char* what, const char* file, int line) {
    if (holds) return;
    ++failures;
    std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
}

inline void check_contains(const std::string& text, const std::string& part, const char* file, int line) {
    if (text.find(part) != std::string::npos) return;
    ++failures;
    std::fprintf(stderr, "%s:%d: \"%s\" does not contain \"%s\"\n", file, line, text.c_str(), part.c_str());
}

inline void check_near(double a, double b, double tolerance, const char* file, int line) {
    if (std::fabs(a - b) <= tolerance) return;
    ++failures;
    std::fprintf(stderr, "%s:%d: %.17g is not within %g of %.17g\n", file, line, a, tolerance, b);
}

#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)
#define CHECK_CONTAINS(text, part) check_contains((text), (part), __FILE__, __LINE__)
#define CHECK_NEAR(a, b, tolerance) check_near((a), (b), (tolerance), __FILE__, __LINE__)
