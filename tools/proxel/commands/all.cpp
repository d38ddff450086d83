#include "commands/all.hpp"

namespace cli {

const std::vector<Command>& commands() {
    static const std::vector<Command> all{info_command(),      shape_command(),    bake_command(),     sample_command(),
                                          proximity_command(), penalty_command(), overlap_command(),  distance_command(), pairs_command(),
                                          cull_command(),      self_command(),     sweep_command(),    volume_command(),
                                          contains_command()};
    return all;
}

} // namespace cli
