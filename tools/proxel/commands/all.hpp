// The commands, one file each.
#pragma once

#include "commands/query.hpp"

namespace cli {

std::unique_ptr<Command> bake_command();
std::unique_ptr<Command> contacts_command();
std::unique_ptr<Command> contains_command();
std::unique_ptr<Command> cull_command();
std::unique_ptr<Command> distance_command();
std::unique_ptr<Command> info_command();
std::unique_ptr<Command> overlap_command();
std::unique_ptr<Command> pairs_command();
std::unique_ptr<Command> penalty_command();
std::unique_ptr<Command> proximity_command();
std::unique_ptr<Command> sample_command();
std::unique_ptr<Command> self_command();
std::unique_ptr<Command> shape_command();
std::unique_ptr<Command> near_command();
std::unique_ptr<Command> sweep_command();
std::unique_ptr<Command> impacts_command();
std::unique_ptr<Command> volume_command();

struct Entry {
    const char* name;
    const char* summary;
    std::unique_ptr<Command> (*make)();
};

// Every command, in the order of the help.
const std::vector<Entry>& all_commands();

} // namespace cli
