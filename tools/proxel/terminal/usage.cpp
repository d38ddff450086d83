#include "terminal/usage.hpp"

#include "terminal/spelling.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace cli::usage {
namespace {

template <class T> bool parse_all(const std::string& word, T& value) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc{} && end == word.data() + word.size() && !word.empty();
}

std::string within(Range range) {
    std::string out;
    if (std::isfinite(range.least)) out += " from " + brief(range.least);
    if (std::isfinite(range.most)) out += (out.empty() ? " up to " : " to ") + brief(range.most);
    return out;
}

std::vector<double> parse_numbers(const std::string& name, const std::string& word, std::size_t count) {
    std::vector<double> values;
    for (std::size_t at = 0; at <= word.size();) {
        const std::size_t comma = std::min(word.find(',', at), word.size());
        double value = 0.0;
        if (!parse_all(word.substr(at, comma - at), value) || !std::isfinite(value)) break;
        values.push_back(value);
        at = comma + 1;
        if (comma == word.size() && values.size() == count) return values;
    }
    throw WrongUsage(name + " takes " + std::to_string(count) + " numbers with commas between them, not '" + word + "'.");
}

} // namespace

std::string brief(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), std::fabs(value) < 1e15 && value == std::floor(value) ? "%.0f" : "%.4g", value);
    return text.data();
}

std::string with_default(const std::string& meaning, const std::string& usual) {
    return usual.empty() ? meaning : meaning + " (default " + usual + ")";
}

double parse_number(const std::string& name, const std::string& word, Range range) {
    double value = 0.0;
    if (!parse_all(word, value) || !std::isfinite(value) || value < range.least || value > range.most)
        throw WrongUsage(name + " takes a number" + within(range) + ", not '" + word + "'.");
    return value;
}

std::uint32_t parse_whole(const std::string& name, const std::string& word, Range range) {
    range.least = std::max(range.least, 0.0);
    range.most = std::min(range.most, static_cast<double>(std::numeric_limits<std::uint32_t>::max()));
    std::uint32_t value = 0;
    if (!parse_all(word, value) || value < range.least || value > range.most)
        throw WrongUsage(name + " takes a whole number" + within(range) + ", not '" + word + "'.");
    return value;
}

Pose parse_pose(const std::string& name, const std::string& word) {
    const std::vector<double> v = parse_numbers(name, word, 7);
    // People round what they type; a unit quaternion is meant.
    const double norm = std::sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5] + v[6] * v[6]);
    if (!(norm > 1e-6))
        throw WrongUsage(name + ": the quaternion qx,qy,qz,qw is zero, which is no rotation; 0,0,0,1 is the identity.");
    const auto unit = [&](std::size_t i) { return static_cast<float>(v[i] / norm); };
    return {{static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])}, {unit(3), unit(4), unit(5)}, unit(6)};
}

std::size_t parse_choice(const std::string& name, const std::string& word, const std::vector<std::string>& choices) {
    std::string all;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (choices[i] == word) return i;
        all += (i == 0 ? "" : i + 1 < choices.size() ? ", " : " or ") + choices[i];
    }
    throw WrongUsage(name + " takes " + all + ", not '" + word + "'." + did_you_mean(word, choices));
}

void operand(CLI::App& app, const std::string& name, std::string& value, const std::string& meaning) {
    app.add_option(name, value, meaning)->option_text(" ")->required();
}

void operand(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& meaning) {
    app.add_option(name, values, meaning)->option_text("...")->required();
}

void flag(CLI::App& app, const std::string& name, bool& value, const std::string& meaning) { app.add_flag(name, value, meaning); }

void word(CLI::App& app, const std::string& name, const std::string& symbol, const std::string& meaning,
          std::function<void(const std::string&)> take, bool required) {
    app.add_option_function<std::string>(name, take, meaning)->option_text(symbol)->type_name(symbol)->required(required);
}

void text(CLI::App& app, const std::string& name, std::string& value, const std::string& symbol, const std::string& meaning) {
    word(app, name, symbol, with_default(meaning, value), [&value](const std::string& given) { value = given; });
}

void output(CLI::App& app, std::string& value, const std::string& symbol, const std::string& meaning) {
    word(app, "-o", symbol, meaning + " (required)", [&value](const std::string& given) { value = given; }, true);
}

void number(CLI::App& app, const std::string& name, float& value, const std::string& symbol, const std::string& meaning, Range range,
            const std::string& usual) {
    word(app, name, symbol, with_default(meaning, usual.empty() ? brief(static_cast<double>(value)) : usual),
         [&value, name, range](const std::string& given) { value = static_cast<float>(parse_number(name, given, range)); });
}

void number(CLI::App& app, const std::string& name, double& value, const std::string& symbol, const std::string& meaning, Range range,
            const std::string& usual) {
    word(app, name, symbol, with_default(meaning, usual.empty() ? brief(value) : usual),
         [&value, name, range](const std::string& given) { value = parse_number(name, given, range); });
}

void number(CLI::App& app, const std::string& name, std::uint32_t& value, const std::string& symbol, const std::string& meaning, Range range,
            const std::string& usual) {
    word(app, name, symbol, with_default(meaning, usual.empty() ? std::to_string(value) : usual),
         [&value, name, range](const std::string& given) { value = parse_whole(name, given, range); });
}

void pose(CLI::App& app, const std::string& name, Pose& value, const std::string& meaning) {
    word(app, name, "POSE", meaning + ": tx,ty,tz,qx,qy,qz,qw (default identity)",
         [&value, name](const std::string& given) { value = parse_pose(name, given); });
}

void floats(CLI::App& app, const std::string& name, std::vector<float*> values, const std::string& symbol, const std::string& meaning) {
    word(app, name, symbol, meaning, [values, name](const std::string& given) {
        const std::vector<double> numbers = parse_numbers(name, given, values.size());
        for (std::size_t i = 0; i < values.size(); ++i) *values[i] = static_cast<float>(numbers[i]);
    });
}

void notes(CLI::App& app, const std::string& meaning_of_the_answer, const std::string& example) {
    app.footer((meaning_of_the_answer.empty() ? "" : meaning_of_the_answer + "\n\n") + "Example:\n  " + example);
}

} // namespace cli::usage
