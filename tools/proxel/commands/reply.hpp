// Says a command's answer the way it was asked for.
#pragma once

#include "answer.hpp"
#include "terminal/arguments.hpp"

#include <cstdio>

namespace cli {

inline void reply(const Answer& answer, const Arguments& arguments) {
    std::fputs((arguments.has(options::json) ? answer.json() : answer.table()).c_str(), stdout);
}

} // namespace cli
