// The words after the command's name, sorted into operands and options and checked against what the command takes.
#pragma once

#include "pose.hpp"
#include "terminal/command.hpp"

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace cli {

// Wrong usage: the sentence and the usage go to stderr, exit code 2.
class WrongUsage : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class Arguments {
public:
    // Throws WrongUsage. `--help` anywhere is not an error: ask wants_help() first, nothing else is checked then.
    Arguments(const Command& command, const std::vector<std::string>& words);

    bool wants_help() const { return wants_help_; }

    const std::string& operand(std::size_t i) const { return operands_.at(i); }
    const std::vector<std::string>& operands() const { return operands_; }

    bool has(const Option& option) const { return values_.count(option.name) > 0; }
    std::optional<std::string> text(const Option& option) const;
    const std::string& required_text(const Option& option) const { return values_.at(option.name); }

    // A number option, or what it is without; throws WrongUsage where the word is no number or below `least`.
    double number(const Option& option, double otherwise) const;
    long long whole(const Option& option, long long otherwise, long long least) const;

    // `count` numbers with commas between them, or none if the option was not given.
    std::optional<std::vector<double>> numbers(const Option& option, std::size_t count) const;

    Vec3 vector(const Option& option, Vec3 otherwise) const;
    Pose pose(const Option& option) const;

private:
    void take_option(const Command& command, const std::vector<std::string>& words, std::size_t& i);

    bool wants_help_ = false;
    std::vector<std::string> operands_;
    std::map<std::string, std::string> values_;
};

} // namespace cli
