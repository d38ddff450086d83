#include "terminal/program.hpp"

#include "terminal/spelling.hpp"
#include "terminal/usage.hpp"

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

namespace cli {
namespace {

constexpr int answered = 0;
constexpr int could_not = 1;
constexpr int wrong_usage = 2;

// The command that was chosen, or the program itself.
CLI::App& chosen(CLI::App& app) {
    const std::vector<CLI::App*> commands = app.get_subcommands();
    return commands.empty() ? app : *commands.front();
}

std::vector<std::string> names_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    for (const CLI::Option* option : app.get_options()) {
        if (option->nonpositional()) names.push_back(option->get_name());
    }
    return names;
}

// What CLI11 found wrong, in words that name what was typed and what was probably meant.
std::string explain(CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& command = chosen(app);
    const std::vector<std::string> unknown = command.remaining();
    if (!unknown.empty() && unknown[0] != "--") {
        const std::string word = unknown[0].substr(0, unknown[0].find('='));
        const std::string guess = did_you_mean(word, names_of(command));
        if (word[0] == '-') return command.get_name() + " has no option " + word + "." + guess;
        if (&command == &app && !app.get_subcommands({}).empty()) return "there is no command '" + word + "'." + guess;
        return command.get_name() + " does not know what to do with '" + word + "'.";
    }
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_required() && option->count() == 0)
            return command.get_name() + " needs " + option->get_name() + ": " + option->get_description() + ".";
    }
    return error.what();
}

// One line, and where to read on. The program alone has no usage of its own worth a line: show all commands.
std::string usage_of(CLI::App& app) {
    CLI::App& command = chosen(app);
    if (&command == &app && !app.get_subcommands({}).empty()) return app.help();
    const std::string help = app.help();
    const std::size_t start = help.find("Usage:");
    const std::string name = (&command == &app ? "" : app.get_name() + " ") + command.get_name();
    return help.substr(start, help.find('\n', start) + 1 - start) + "Try '" + name + " --help'.\n";
}

} // namespace

int run_program(CLI::App& app, int argc, const char* const* argv, const std::function<void()>& body) {
    const auto say = [&](const std::string& message, int code) {
        std::fputs((app.get_name() + ": " + message + "\n").c_str(), stderr);
        return code;
    };
    int code = answered;
    try {
        try {
            app.parse(argc, argv);
            body();
        } catch (const CLI::CallForHelp&) {
            std::fputs(app.help().c_str(), stdout);
        } catch (const CLI::CallForVersion& version) {
            std::fputs((std::string(version.what()) + "\n").c_str(), stdout);
        } catch (const CLI::ParseError& error) {
            code = argc < 2 ? wrong_usage : say(explain(app, error), wrong_usage);
            std::fputs(usage_of(app).c_str(), stderr);
        } catch (const WrongUsage& error) {
            code = say(error.what(), wrong_usage);
            std::fputs(usage_of(app).c_str(), stderr);
        }
        // An answer that could not be written (a full disk, a closed pipe) is no answer.
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            return say("the answer could not be written; check where stdout goes.", could_not);
        return code;
    } catch (const std::bad_alloc&) {
        return say("out of memory; try a smaller mesh or resolution.", could_not);
    } catch (const std::exception& error) {
        return say(error.what(), could_not);
    }
}

} // namespace cli
