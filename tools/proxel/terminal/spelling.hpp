// Guesses what somebody meant to type.
#pragma once

#include <string>
#include <vector>

namespace cli {

// " Did you mean X?" where a known word is near, otherwise nothing.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

} // namespace cli
