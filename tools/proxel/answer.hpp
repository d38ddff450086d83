// What a command found out, in the order in which it is said: as one JSON object, or as a short table for people.
#pragma once

#include "vec3.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace cli {

using Json = nlohmann::ordered_json;

// A float as the double with the fewest digits that brings the same float back: 0.1, not 0.10000000149011612.
Json json_of(float value);

template <class T, class = std::enable_if_t<!std::is_same_v<T, float>>> Json json_of(const T& value) { return value; }

inline Json json_of(Vec3 v) { return Json::array({json_of(v.x), json_of(v.y), json_of(v.z)}); }

template <class T> Json json_of(const std::vector<T>& values) {
    Json out = Json::array();
    for (std::size_t i = 0; i < values.size(); ++i) out.push_back(json_of(static_cast<const T&>(values[i])));
    return out;
}

template <class T, std::size_t n> Json json_of(const std::array<T, n>& values) {
    Json out = Json::array();
    for (const T& value : values) out.push_back(json_of(value));
    return out;
}

template <class T, std::size_t n> Json json_of(const T (&values)[n]) {
    Json out = Json::array();
    for (const T& value : values) out.push_back(json_of(value));
    return out;
}
inline Json json_of(const char* text) { return text; }

class Answer {
public:
    // `note` is shown to people only, such as a unit.
    template <class T> void add(const std::string& key, const T& value, std::string note = "") {
        entries_.push_back({key, json_of(value), std::move(note), false});
    }

    // A list: people see how long it is and, unless it is of objects, how it begins.
    template <class T> void add_list(const std::string& key, const std::vector<T>& values, std::string note = "") {
        entries_.push_back({key, json_of(values), std::move(note), true});
    }

    std::string json() const;
    std::string table() const;

private:
    struct Entry {
        std::string key;
        Json value;
        std::string note;
        bool is_list;
    };
    std::vector<Entry> entries_;
};

} // namespace cli
