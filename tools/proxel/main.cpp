// proxel: every query of the library on mesh files, from the command line.
#include "terminal/arguments.hpp"
#include "terminal/help.hpp"
#include "terminal/spelling.hpp"

#include <cstdio>
#include <exception>
#include <new>

namespace {

using namespace cli;

constexpr int answered = 0;
constexpr int could_not = 1;
constexpr int wrong_usage = 2;

const Command* find(const std::string& name) {
    for (const Command& command : commands()) {
        if (command.name == name) return &command;
    }
    return nullptr;
}

int show(std::FILE* where, const std::string& text, int code) {
    std::fputs(text.c_str(), where);
    return code;
}

int refuse(const std::string& why, const std::string& usage_text) {
    return show(stderr, "proxel: " + why + "\n" + usage_text, wrong_usage);
}

int run(const std::vector<std::string>& words) {
    if (words.empty()) return show(stderr, help(commands()), wrong_usage);
    if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") return show(stdout, help(commands()), answered);
    const Command* command = find(words[0]);
    if (command == nullptr) {
        std::vector<std::string> known;
        for (const Command& c : commands()) known.push_back(c.name);
        return refuse("there is no command '" + words[0] + "'." + did_you_mean(words[0], known), help(commands()));
    }
    try {
        const Arguments arguments(*command, {words.begin() + 1, words.end()});
        if (arguments.wants_help()) return show(stdout, help(*command), answered);
        command->run(arguments);
        return answered;
    } catch (const WrongUsage& wrong) {
        return refuse(wrong.what(), usage(*command) + "Try 'proxel " + command->name + " --help'.\n");
    }
}

} // namespace

int main(int argc, char** argv) {
    try {
        const int code = run(argc > 0 ? std::vector<std::string>(argv + 1, argv + argc) : std::vector<std::string>{});
        // An answer that could not be written (a full disk, a closed pipe) is no answer.
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            return show(stderr, "proxel: the answer could not be written; check where stdout goes.\n", could_not);
        return code;
    } catch (const std::bad_alloc&) {
        return show(stderr, "proxel: out of memory; try a smaller mesh or resolution.\n", could_not);
    } catch (const std::exception& error) {
        return show(stderr, std::string("proxel: ") + error.what() + "\n", could_not);
    }
}
