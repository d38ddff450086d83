#include "answer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cli {
namespace {

constexpr std::size_t line_length = 60;

// For people: a line's worth of it.
std::string shortened(const Json& value) {
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_null()) return "-";
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_array()) return value.dump();
    std::string out = "[";
    for (const Json& item : value) {
        if (out.size() > line_length) return out + ", ...";
        out += (out.size() > 1 ? ", " : "") + shortened(item);
    }
    return out + "]";
}

} // namespace

Json json_of(float value) {
    if (!std::isfinite(value)) return nullptr;
    std::array<char, 32> text{};
    const char* end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    double same = 0.0;
    std::from_chars(text.data(), end, same);
    return same;
}

std::string Answer::json() const {
    Json object = Json::object();
    for (const Entry& entry : entries_) object[entry.key] = entry.value;
    // A file's name may hold bytes that are no text.
    return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string Answer::table() const {
    std::size_t widest = 0;
    for (const Entry& entry : entries_) widest = std::max(widest, entry.key.size());
    std::string out;
    for (const Entry& entry : entries_) {
        std::string name = entry.key;
        std::replace(name.begin(), name.end(), '_', ' ');
        out += "  " + name + std::string(widest - name.size() + 2, ' ');
        const bool shown = !entry.is_list || (!entry.value.empty() && !entry.value.front().is_object());
        if (entry.is_list) out += std::to_string(entry.value.size()) + (shown ? ": " : "");
        if (shown) out += shortened(entry.value);
        out += (entry.note.empty() ? "" : " " + entry.note) + "\n";
    }
    return out;
}

} // namespace cli
