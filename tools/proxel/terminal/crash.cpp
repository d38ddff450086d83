#include "terminal/crash.hpp"

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)

#include <csignal>
#include <cstddef>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <string_view>
#include <unistd.h>

namespace cli {
namespace {

constexpr int could_not = 1;
constexpr unsigned patience_in_seconds = 5;
const char* program_name = "";

void say(std::string_view text) {
    if (write(STDERR_FILENO, text.data(), text.size()) < 0) _exit(could_not);
}

std::string_view file_name(const char* path) {
    const char* slash = std::strrchr(path, '/');
    return slash == nullptr ? path : slash + 1;
}

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

// What ends a program on behalf of others.
bool is_runtime(std::string_view library) {
    for (std::string_view name : {"libc.", "libc-", "libpthread", "libstdc++", "libgcc_s"})
        if (starts_with(library, name)) return true;
    return false;
}

// The library of the innermost function that is not the runtime's. The first two are this handler and its caller.
std::string_view culprit() {
    void* calls[64];
    const int count = backtrace(calls, 64);
    for (int i = 2; i < count; ++i) {
        Dl_info info{};
        if (dladdr(calls[i], &info) == 0 || info.dli_fname == nullptr) return "code that a driver compiled";
        const std::string_view library = file_name(info.dli_fname);
        if (!is_runtime(library)) return library;
    }
    return "an unknown library";
}

// Only what may be called in a signal handler, except for the unwinder, which was loaded before.
void on_crash(int signal) {
    alarm(patience_in_seconds); // should the unwinder wait for a lock
    say(program_name);
    say(": ");
    say(signal == SIGABRT ? "aborted" : "crashed");
    say(" in ");
    say(culprit());
    say(". Vulkan drivers do so when memory runs out; try a smaller mesh or resolution, or another device.\n");
    _exit(could_not);
}

} // namespace

void report_crashes(const char* program) {
    program_name = program;
    void* first[1];
    backtrace(first, 1); // loads the unwinder, which takes memory
    for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE}) std::signal(signal, on_crash);
}

} // namespace cli

#else

namespace cli {

void report_crashes(const char*) {}

} // namespace cli

#endif
