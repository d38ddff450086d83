#include "terminal/help.hpp"

#include <algorithm>

namespace cli {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

std::string columns(const Rows& rows) {
    std::size_t widest = 0;
    for (const auto& row : rows) widest = std::max(widest, row.first.size());
    std::string out;
    for (const auto& [name, meaning] : rows)
        out += "  " + name + std::string(widest - name.size() + 2, ' ') + meaning + "\n";
    return out;
}

} // namespace

std::string usage(const Command& command, const std::string& program) {
    std::string out = "usage: " + program + command.name;
    for (const Operand& operand : command.operands) out += " " + operand.name + (operand.repeats ? "..." : "");
    for (const Option& option : command.options) {
        if (option.required) out += " " + option.name + " " + option.value;
    }
    return out + (command.options.empty() ? "" : " [options]") + "\n";
}

std::string help(const Command& command, const std::string& program) {
    Rows operands;
    for (const Operand& operand : command.operands) operands.emplace_back(operand.name, operand.meaning);
    Rows rows;
    for (const Option& option : command.options) {
        rows.emplace_back(option.name + (option.value.empty() ? "" : " " + option.value), option.meaning);
    }
    rows.emplace_back("--help", "show this page");
    return command.summary + ".\n\n" + usage(command, program) + (operands.empty() ? "" : "\n" + columns(operands)) +
           "\noptions:\n" + columns(rows) + (command.notes.empty() ? "" : "\n" + command.notes + "\n");
}

std::string help(const std::vector<Command>& all) {
    Rows rows;
    for (const Command& command : all) {
        std::string call = command.name;
        for (const Operand& operand : command.operands) call += " " + operand.name + (operand.repeats ? "..." : "");
        rows.emplace_back(call, command.summary);
    }
    return "proxel asks how surfaces touch.\n\n"
           "usage: proxel COMMAND [options] FILE...\n\ncommands:\n" +
           columns(rows) +
           "\nMeshes are PLY, OBJ, STL or OFF files. 'proxel COMMAND --help' tells more about one command.\n"
           "Exit code: 0 answered, 1 could not (a sentence on stderr says why), 2 wrong usage.\n";
}

} // namespace cli
