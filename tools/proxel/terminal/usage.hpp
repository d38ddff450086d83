// What a program takes, declared on CLI11. Each helper puts the value's name, unit and default into `--help`, and refuses a
// word that does not fit with a message that has the option, what it takes and the word.
#pragma once

#include "pose.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace CLI {
class App; // its header takes seconds to compile, and commands need not see it
}

namespace cli {

// Wrong usage: the message and the usage go to stderr, exit code 2.
class WrongUsage : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

namespace usage {

struct Range {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
};

// An operand that must be there, such as a file; the second one takes one or more words.
void operand(CLI::App& app, const std::string& name, std::string& value, const std::string& meaning);
void operand(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& meaning);

void flag(CLI::App& app, const std::string& name, bool& value, const std::string& meaning);

// `symbol` is what stands for the value in the help, such as "N" or "FILE.png".
void text(CLI::App& app, const std::string& name, std::string& value, const std::string& symbol, const std::string& meaning);

// `-o`, the file to write, which must be given.
void output(CLI::App& app, std::string& value, const std::string& symbol, const std::string& meaning);

// A number within a range. `usual` describes the default where the value itself would tell nothing.
void number(CLI::App& app, const std::string& name, float& value, const std::string& symbol, const std::string& meaning,
            Range range = {}, const std::string& usual = "");
void number(CLI::App& app, const std::string& name, double& value, const std::string& symbol, const std::string& meaning,
            Range range = {}, const std::string& usual = "");
void number(CLI::App& app, const std::string& name, std::uint32_t& value, const std::string& symbol, const std::string& meaning,
            Range range = {}, const std::string& usual = "");

// What follows `--pose-a` and its like: tx,ty,tz,qx,qy,qz,qw.
void pose(CLI::App& app, const std::string& name, Pose& value, const std::string& meaning);

// As many numbers as there are values, with commas between them.
void floats(CLI::App& app, const std::string& name, std::vector<float*> values, const std::string& symbol, const std::string& meaning);

// Anything else: `take` gets the word, and throws WrongUsage if it does not fit. With `required` and a name without dashes it
// is an operand.
void word(CLI::App& app, const std::string& name, const std::string& symbol, const std::string& meaning,
          std::function<void(const std::string&)> take, bool required = false);

// Words into values, for `word`. Each throws WrongUsage.
double parse_number(const std::string& name, const std::string& word, Range range);
std::uint32_t parse_whole(const std::string& name, const std::string& word, Range range);
Pose parse_pose(const std::string& name, const std::string& word);
std::size_t parse_choice(const std::string& name, const std::string& word, const std::vector<std::string>& choices);

std::string with_default(const std::string& meaning, const std::string& usual);
std::string brief(double value);

// One of several words, each with the value that it stands for.
template <class T> using Choices = std::vector<std::pair<std::string, std::common_type_t<T>>>;
template <class T>
void choice(CLI::App& app, const std::string& name, T& value, const Choices<T>& choices, const std::string& meaning) {
    std::vector<std::string> names;
    std::string all, usual;
    for (const auto& [word, meant] : choices) {
        names.push_back(word);
        all += (all.empty() ? "" : "|") + word;
        if (meant == value) usual = word;
    }
    word(app, name, all, with_default(meaning, usual), [&value, name, names, choices](const std::string& given) {
        value = choices[parse_choice(name, given, names)].second;
    });
}

// The end of the help page: what the answer means, and a call that one can try.
void notes(CLI::App& app, const std::string& meaning_of_the_answer, const std::string& example);

} // namespace usage
} // namespace cli
