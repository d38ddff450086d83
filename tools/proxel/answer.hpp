// What a command found out, in the order in which it is said: as one JSON object, or as a short table for people.
#pragma once

#include "vec3.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cli {

// How values look in JSON. Numbers take as few digits as bring the same bits back; what JSON has no number for is null.
void append_json(std::string& out, bool value);
void append_json(std::string& out, float value);
void append_json(std::string& out, double value);
void append_json(std::string& out, long long value);
void append_json(std::string& out, unsigned long long value);
void append_json(std::string& out, std::string_view value);
void append_json(std::string& out, Vec3 value);
inline void append_json(std::string& out, const char* value) { append_json(out, std::string_view(value)); }
inline void append_json(std::string& out, const std::string& value) { append_json(out, std::string_view(value)); }

template <class T, class = std::enable_if_t<std::is_integral_v<T>>> void append_json(std::string& out, T value) {
    if constexpr (std::is_signed_v<T>) append_json(out, static_cast<long long>(value));
    else append_json(out, static_cast<unsigned long long>(value));
}

template <class T, std::size_t n> void append_json(std::string& out, const std::array<T, n>& values);

template <class T> void append_json(std::string& out, const std::vector<T>& values) {
    out += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) out += ',';
        append_json(out, static_cast<const T&>(values[i]));
    }
    out += ']';
}

template <class T, std::size_t n> void append_json(std::string& out, const std::array<T, n>& values) {
    out += '[';
    for (std::size_t i = 0; i < n; ++i) {
        if (i > 0) out += ',';
        append_json(out, values[i]);
    }
    out += ']';
}

class Answer {
public:
    // `unit` is shown to people only.
    template <class T> void add(std::string key, const T& value, std::string unit = "") {
        std::string text;
        append_json(text, value);
        entries_.push_back({std::move(key), std::move(text), std::move(unit), 0, false});
    }

    // A list: people see how long it is and how it begins.
    template <class T> void add_list(std::string key, const std::vector<T>& values) {
        std::string text;
        append_json(text, values);
        entries_.push_back({std::move(key), std::move(text), "", values.size(), true});
    }

    std::string json() const;
    std::string table() const;

private:
    struct Entry {
        std::string key;
        std::string text;
        std::string unit;
        std::size_t length; // of a list
        bool is_list;
    };
    std::vector<Entry> entries_;
};

} // namespace cli
