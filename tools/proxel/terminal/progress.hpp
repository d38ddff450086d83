// A bar for long work, on a terminal only: never in a pipe, a file or a log.
#pragma once

#include <chrono>
#include <string>

namespace cli {

class Progress {
public:
    explicit Progress(std::string what);
    ~Progress(); // wipes the bar, so that the answer stands alone
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(double fraction);

    // The bar as text, for a fraction from 0 to 1.
    static std::string bar(const std::string& what, double fraction);

private:
    std::string what_;
    bool on_terminal_;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point last_;
};

} // namespace cli
