// What is typed and what is printed, in UTF-8 on every system.
#pragma once

#include <string>
#include <vector>

namespace cli {

// The words that a program was started with. Windows hands main() words in the code page of the machine, in which most names
// cannot be written; they are read anew from what was typed. Output is left as it is written: no line ends are translated.
class Utf8Terminal {
public:
    Utf8Terminal(int argc, char** argv);
    Utf8Terminal(const Utf8Terminal&) = delete;
    ~Utf8Terminal();

    int argc() const { return static_cast<int>(pointers_.size()); }
    const char* const* argv() const { return pointers_.data(); }

private:
    std::vector<std::string> words_;
    std::vector<const char*> pointers_;
    unsigned code_page_ = 0; // of the console, before
};

} // namespace cli
