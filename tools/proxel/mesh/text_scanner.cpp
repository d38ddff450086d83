#include "mesh/text_scanner.hpp"

#include "failure.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace cli {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// A word from a hostile file may be long, or not text at all: shows the start of it, printable.
std::string quoted(std::string_view word) {
    if (word.empty()) return "nothing";
    std::string shown = "'";
    for (const char c : word.substr(0, 24)) shown += (c >= ' ' && c <= '~') ? c : '?';
    return shown + (word.size() > 24 ? "...'" : "'");
}

std::string_view without_plus(std::string_view word) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    return word;
}

} // namespace

void TextScanner::skip_blanks() {
    while (at_ < text_.size()) {
        // A backslash before the line's end continues the line, as OBJ writers do with long faces.
        const bool folded = text_[at_] == '\\' && text_.substr(at_ + 1, 1) == "\n";
        const bool folded_crlf = text_[at_] == '\\' && text_.substr(at_ + 1, 2) == "\r\n";
        if (folded || folded_crlf) {
            at_ += folded ? 2 : 3;
            ++line_;
        } else if (is_blank(text_[at_])) {
            ++at_;
        } else {
            return;
        }
    }
}

std::string_view TextScanner::word() {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] == '\n' || text_[at_] == '#') return {};
    const std::size_t start = at_++;
    while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '\n' && text_[at_] != '#') ++at_;
    return text_.substr(start, at_ - start);
}

bool TextScanner::next_line() {
    const void* end = at_ < text_.size() ? std::memchr(text_.data() + at_, '\n', text_.size() - at_) : nullptr;
    if (end == nullptr) {
        at_ = text_.size();
        return false;
    }
    at_ = static_cast<std::size_t>(static_cast<const char*>(end) - text_.data()) + 1;
    ++line_;
    return at_ < text_.size();
}

bool TextScanner::skip_to_word() {
    for (;;) {
        skip_blanks();
        if (at_ == text_.size()) return false;
        if (text_[at_] != '\n' && text_[at_] != '#') return true;
        if (!next_line()) return false;
    }
}

std::string_view TextScanner::word_on_any_line() { return skip_to_word() ? word() : std::string_view{}; }

double TextScanner::wide_real(std::string_view word, const char* what) const {
    const std::string_view digits = without_plus(word);
    double value = 0.0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || end != digits.data() + digits.size() || error == std::errc::invalid_argument) {
        fail("expected " + std::string(what) + ", found " + quoted(word) + "; write a decimal number");
    }
    // As below.
    if (error == std::errc::result_out_of_range) value = std::strtod(std::string(digits).c_str(), nullptr);
    return value;
}

float TextScanner::real(std::string_view word, const char* what) const {
    const std::string_view digits = without_plus(word);
    float value = 0.0f;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || end != digits.data() + digits.size() || error == std::errc::invalid_argument) {
        fail("expected " + std::string(what) + ", found " + quoted(word) + "; write a decimal number");
    }
    // from_chars says the same of 1e-60 and 1e60; strtof tells the one that is nearly zero from the one that is too
    // big.
    if (error == std::errc::result_out_of_range) value = std::strtof(std::string(digits).c_str(), nullptr);
    if (!std::isfinite(value)) {
        fail("expected " + std::string(what) + ", found " + quoted(word) +
             ", which is no finite 32-bit number; repair it");
    }
    return value;
}

std::int64_t TextScanner::integer(std::string_view word, const char* what) const {
    const std::string_view digits = without_plus(word);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || end != digits.data() + digits.size() || error != std::errc{}) {
        fail("expected " + std::string(what) + ", found " + quoted(word) + "; write a whole number");
    }
    return value;
}

Vec3 TextScanner::point(const char* what) {
    const float x = real(word(), what);
    const float y = real(word(), what);
    const float z = real(word(), what);
    return {x, y, z};
}

void TextScanner::fail(const std::string& what) const {
    throw Failure(name_ + ", line " + std::to_string(line_) + ": " + what + ".");
}

} // namespace cli
