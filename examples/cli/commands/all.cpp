#include "commands/all.hpp"

namespace cli {

const std::vector<Command>& commands() {
    static const std::vector<Command> all{shape_command()};
    return all;
}

} // namespace cli
