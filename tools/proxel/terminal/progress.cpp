#include "terminal/progress.hpp"

#include <algorithm>
#include <cstdio>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace cli {
namespace {

bool stderr_is_a_terminal() {
#ifdef _WIN32
    return _isatty(_fileno(stderr)) != 0;
#else
    return isatty(STDERR_FILENO) == 1;
#endif
}

} // namespace

Progress::Progress(std::string what) : what_(std::move(what)), on_terminal_(stderr_is_a_terminal()) {}

Progress::~Progress() {
    if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(double fraction) {
    if (!on_terminal_) return;
    const auto now = std::chrono::steady_clock::now();
    if (drawn_ && now - last_ < std::chrono::milliseconds(60)) return;
    std::fprintf(stderr, "\r%s\x1b[K", bar(what_, fraction).c_str());
    std::fflush(stderr);
    drawn_ = true;
    last_ = now;
}

std::string Progress::bar(const std::string& what, double fraction) {
    constexpr int cells = 30;
    fraction = fraction > 0.0 ? std::min(fraction, 1.0) : 0.0; // a NaN is no progress either
    const int full = static_cast<int>(fraction * cells);
    std::string out = what + " [" + std::string(static_cast<std::size_t>(full), '=');
    if (full < cells) out += '>' + std::string(static_cast<std::size_t>(cells - full - 1), ' ');
    const std::string percent = std::to_string(static_cast<int>(fraction * 100.0));
    return out + "] " + std::string(3 - percent.size(), ' ') + percent + " %";
}

} // namespace cli
