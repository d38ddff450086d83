// proxel: every query of the library on mesh files, from the command line.
#include "commands/all.hpp"
#include "terminal/crash.hpp"
#include "terminal/program.hpp"
#include "terminal/utf8.hpp"

#include <map>

int main(int argc, char** argv) {
    cli::report_crashes("proxel");
    const cli::Utf8Terminal terminal(argc, argv);
    CLI::App tool("Asks how surfaces touch: distances, contacts, intersections and forces of meshes.", "proxel");
    tool.set_help_flag("-h,--help", "show this page");
    tool.set_version_flag("--version", std::string("proxel ") + prx_version_string(), "show the version");
    tool.require_subcommand(1);
    tool.get_formatter()->column_width(32);
    tool.get_formatter()->label("SUBCOMMAND", "COMMAND");
    tool.get_formatter()->label("Positionals", "Operands");
    tool.footer("Meshes are PLY, OBJ, STL, OFF or glTF files. 'proxel COMMAND --help' tells more about one command.\n"
                "Exit code: 0 answered, 1 could not (the error message is on stderr), 2 wrong usage.");
    std::map<const CLI::App*, std::unique_ptr<cli::Command>> commands;
    for (const cli::Entry& entry : cli::all_commands()) {
        CLI::App* app = tool.add_subcommand(entry.name, entry.summary)->group("Commands");
        const auto& command = commands[app] = entry.make();
        command->declare(*app);
    }
    return cli::run_program(tool, terminal.argc(), terminal.argv(), [&] { commands.at(tool.get_subcommands().front())->run(); });
}
