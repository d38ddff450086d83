#include "terminal/arguments.hpp"

#include "terminal/spelling.hpp"

#include <charconv>
#include <cmath>

namespace cli {
namespace {

const Option* find(const Command& command, const std::string& name) {
    for (const Option& option : command.options) {
        if (option.name == name) return &option;
    }
    return nullptr;
}

[[noreturn]] void unknown_option(const Command& command, const std::string& name) {
    std::vector<std::string> known;
    for (const Option& option : command.options) known.push_back(option.name);
    throw WrongUsage(command.name + " has no option " + name + "." + did_you_mean(name, known));
}

void check_operands(const Command& command, const std::vector<std::string>& given) {
    const bool repeats = !command.operands.empty() && command.operands.back().repeats;
    if (given.size() < command.operands.size()) {
        throw WrongUsage(command.name + " needs " + command.operands[given.size()].name + ": " +
                         command.operands[given.size()].meaning + ".");
    }
    if (given.size() > command.operands.size() && !repeats) {
        throw WrongUsage(command.name + " does not know what to do with '" + given[command.operands.size()] + "'.");
    }
}

bool parse_number(const std::string& text, double& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && !text.empty() && std::isfinite(value);
}

} // namespace

Arguments::Arguments(const Command& command, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        if (word == "--") break;
        if (word == "--help" || word == "-h") wants_help_ = true;
    }
    if (wants_help_) return;
    bool only_operands = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (!only_operands && word == "--") only_operands = true;
        else if (!only_operands && word.size() > 1 && word[0] == '-') take_option(command, words, i);
        else operands_.push_back(word);
    }
    check_operands(command, operands_);
    for (const Option& option : command.options) {
        if (option.required && !has(option)) {
            throw WrongUsage(command.name + " needs " + option.name + " " + option.value + ": " + option.meaning + ".");
        }
    }
}

// `--name value`, `--name=value`, or `--switch`.
void Arguments::take_option(const Command& command, const std::vector<std::string>& words, std::size_t& i) {
    const std::size_t equals = words[i].find('=');
    const std::string name = words[i].substr(0, equals);
    const Option* option = find(command, name);
    if (option == nullptr) unknown_option(command, name);
    if (values_.count(name) > 0) throw WrongUsage(name + " is given twice.");
    if (option->value.empty()) {
        if (equals != std::string::npos) throw WrongUsage(name + " takes no value.");
        values_[name] = "";
    } else if (equals != std::string::npos) {
        values_[name] = words[i].substr(equals + 1);
    } else if (i + 1 < words.size()) {
        values_[name] = words[++i];
    } else {
        throw WrongUsage(name + " needs a value: " + option->value + ".");
    }
}

std::optional<std::string> Arguments::text(const Option& option) const {
    const auto found = values_.find(option.name);
    return found == values_.end() ? std::nullopt : std::optional<std::string>(found->second);
}

double Arguments::number(const Option& option, double otherwise) const {
    const auto given = text(option);
    if (!given) return otherwise;
    double value = 0.0;
    if (!parse_number(*given, value)) throw WrongUsage(option.name + " takes a number, not '" + *given + "'.");
    return value;
}

long long Arguments::whole(const Option& option, long long otherwise, long long least) const {
    const auto given = text(option);
    if (!given) return otherwise;
    long long value = 0;
    const auto [end, error] = std::from_chars(given->data(), given->data() + given->size(), value);
    if (error != std::errc{} || end != given->data() + given->size() || value < least || value > 0xffffffffll) {
        throw WrongUsage(option.name + " takes a whole number from " + std::to_string(least) + " to 4294967295, not '" + *given +
                         "'.");
    }
    return value;
}

std::optional<std::vector<double>> Arguments::numbers(const Option& option, std::size_t count) const {
    const auto given = text(option);
    if (!given) return std::nullopt;
    std::vector<double> values;
    for (std::size_t at = 0; at <= given->size();) {
        const std::size_t comma = std::min(given->find(',', at), given->size());
        double value = 0.0;
        if (!parse_number(given->substr(at, comma - at), value)) break;
        values.push_back(value);
        at = comma + 1;
        if (comma == given->size() && values.size() == count) return values;
    }
    throw WrongUsage(option.name + " takes " + std::to_string(count) + " numbers with commas between them, not '" +
                     *given + "'.");
}

Vec3 Arguments::vector(const Option& option, Vec3 otherwise) const {
    const auto v = numbers(option, 3);
    if (!v) return otherwise;
    return {static_cast<float>((*v)[0]), static_cast<float>((*v)[1]), static_cast<float>((*v)[2])};
}

Pose Arguments::pose(const Option& option) const {
    const auto v = numbers(option, 7);
    if (!v) return {};
    const auto at = [&](std::size_t i) { return (*v)[i]; };
    // People round what they type; a unit quaternion is meant.
    const double norm = std::sqrt(at(3) * at(3) + at(4) * at(4) + at(5) * at(5) + at(6) * at(6));
    if (!(norm > 1e-6))
        throw WrongUsage(option.name + ": the quaternion qx,qy,qz,qw is zero, which is no rotation; 0,0,0,1 is none.");
    const auto part = [&](std::size_t i) { return static_cast<float>(at(i) / norm); };
    return {{static_cast<float>(at(0)), static_cast<float>(at(1)), static_cast<float>(at(2))},
            {part(3), part(4), part(5)},
            part(6)};
}

} // namespace cli
