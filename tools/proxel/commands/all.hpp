// The commands, one file each.
#pragma once

#include "terminal/command.hpp"

namespace cli {

Command bake_command();
Command contains_command();
Command cull_command();
Command distance_command();
Command info_command();
Command pairs_command();
Command overlap_command();
Command penalty_command();
Command proximity_command();
Command sample_command();
Command self_command();
Command shape_command();
Command sweep_command();
Command volume_command();

} // namespace cli
