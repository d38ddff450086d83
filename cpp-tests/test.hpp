// A test is a main() full of CHECKs that ends in `return test::finish();`. A failed check says where and what, and the
// test goes on; a test that checked nothing has failed.
#pragma once

#include <cmath>
#include <cstddef>
#include <iostream>
#include <sstream>
#include <string>
#include <type_traits>

namespace test {

inline int checks = 0;
inline int failures = 0;

template <typename T>
std::string show(const T& value) {
    std::ostringstream text;
    text.precision(17);
    if constexpr (std::is_enum_v<T>) {
        text << static_cast<long long>(value);
    } else if constexpr (std::is_same_v<T, std::nullptr_t>) {
        text << "null";
    } else {
        text << value;
    }
    return text.str();
}

inline bool record(bool held, const char* file, int line, const std::string& sentence) {
    ++checks;
    if (!held) {
        ++failures;
        std::cerr << file << ":" << line << ": " << sentence << std::endl;
    }
    return held;
}

inline int finish() {
    if (checks == 0) std::cerr << "nothing was checked" << std::endl;
    std::cout << checks << " checks, " << failures << " failed" << std::endl;
    return checks > 0 && failures == 0 ? 0 : 1;
}

template <typename A, typename B>
bool equal(const A& a, const B& b, const char* file, int line, const char* text) {
    return record(a == b, file, line, std::string(text) + ": " + show(a) + " is not " + show(b));
}

inline bool near(double a, double b, double tolerance, const char* file, int line, const char* text) {
    // Written so that a NaN fails.
    return record(std::fabs(a - b) <= tolerance, file, line,
                  std::string(text) + ": " + show(a) + " is not within " + show(tolerance) + " of " + show(b));
}

}  // namespace test

// Each gives back whether it held, for the checks that make no sense without it.
#define CHECK(condition) ::test::record(static_cast<bool>(condition), __FILE__, __LINE__, "not so: " #condition)
#define CHECK_EQ(a, b) ::test::equal((a), (b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_NEAR(a, b, tolerance) ::test::near((a), (b), (tolerance), __FILE__, __LINE__, #a " ~ " #b)
