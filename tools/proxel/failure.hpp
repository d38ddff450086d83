// Why the tool could not answer: an error message for a person, exit code 1.
#pragma once

#include <stdexcept>

namespace cli {

class Failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace cli
