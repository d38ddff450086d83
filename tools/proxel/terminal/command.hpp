// What the tool can do: each command has its own file under commands/, and says here how it is used.
#pragma once

#include <string>
#include <vector>

namespace cli {

class Arguments;

struct Option {
    std::string name;    // with its dashes: "--repeat" or "-o"
    std::string value;   // what it takes, for the help: "N"; empty for a switch
    std::string meaning; // one line
    bool required = false;
};

struct Operand {
    std::string name;
    std::string meaning;
    bool repeats = false; // the last one may: one or more
};

struct Command {
    std::string name;
    std::string summary; // one line
    std::vector<Operand> operands;
    std::vector<Option> options;
    void (*run)(const Arguments&) = nullptr;
    std::string notes = {}; // what the answer means, for the command's own page; may be empty
};

// Every command, in the order of the help.
const std::vector<Command>& commands();

// Options that several commands share.
namespace options {
inline const Option json{"--json", "", "print one JSON object and nothing else"};
inline const Option device{"--device", "auto|NAME", "the Vulkan device to use (default auto)"};
inline const Option repeat{"--repeat", "N", "ask N times on warm data; ms is the median (default 1)"};
inline const Option picture{"--picture", "FILE.png", "draw what was computed"};
inline const Option pose_a{"--pose-a", "POSE", "where A is: tx,ty,tz,qx,qy,qz,qw (default identity)"};
inline const Option pose_b{"--pose-b", "POSE", "where B is: tx,ty,tz,qx,qy,qz,qw (default identity)"};
inline const Option deform{"--deform", "", "hand B's positions over anew before each repeat, inside the time"};
} // namespace options

} // namespace cli
