#include "terminal/utf8.hpp"

#ifdef _WIN32
#include <windows.h>
// After it:
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>

#include <cstdio>
#endif

namespace cli {

#ifdef _WIN32

Utf8Terminal::Utf8Terminal(int argc, char** argv) : words_(argv, argv + argc), code_page_(GetConsoleOutputCP()) {
    int count = 0;
    if (wchar_t** wide = CommandLineToArgvW(GetCommandLineW(), &count)) {
        words_.resize(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < words_.size(); ++i) {
            // The size counts the zero at the end.
            const int size = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, nullptr, 0, nullptr, nullptr);
            words_[i].resize(static_cast<std::size_t>(size));
            WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, words_[i].data(), size, nullptr, nullptr);
            if (!words_[i].empty()) words_[i].pop_back();
        }
        LocalFree(wide);
    }
    for (const std::string& word : words_) pointers_.push_back(word.c_str());
    SetConsoleOutputCP(CP_UTF8);
    for (std::FILE* stream : {stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);
}

Utf8Terminal::~Utf8Terminal() {
    if (code_page_ != 0) SetConsoleOutputCP(code_page_);
}

#else

Utf8Terminal::Utf8Terminal(int argc, char** argv) : pointers_(argv, argv + argc) {}

Utf8Terminal::~Utf8Terminal() = default;

#endif

} // namespace cli
