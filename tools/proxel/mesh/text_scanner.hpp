// Walks over a text file word by word, and knows which line it is on.
#pragma once

#include "vec3.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cli {

class TextScanner {
public:
    TextScanner(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    // The next word on this line, or nothing where the line (or its part before a `#`) ends.
    std::string_view word();

    // The next word on this or a later line, or nothing at the end of the file.
    std::string_view word_on_any_line();

    // Moves past the rest of this line. False at the end of the file.
    bool next_line();

    // Moves to the next line that has a word on it, if this one has none left. False at the end of the file.
    bool skip_to_word();

    // Turns a word into a number, or throws a Failure that says what was expected on this line.
    float real(std::string_view word, const char* what) const;
    double wide_real(std::string_view word, const char* what) const;
    std::int64_t integer(std::string_view word, const char* what) const;

    // Three words on this line as a point.
    Vec3 point(const char* what);

    // Throws a Failure about this line.
    [[noreturn]] void fail(const std::string& what) const;

    bool at_end() const { return at_ == text_.size(); }
    std::size_t remaining() const { return text_.size() - at_; }
    std::size_t line() const { return line_; }
    void set_line(std::size_t line) { line_ = line; }

private:
    void skip_blanks();

    std::string_view text_;
    const std::string& name_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

} // namespace cli
