#include "answer.hpp"

#include <algorithm>
#include <charconv>

namespace cli {
namespace {

template <class T> void append_number(std::string& out, T value) {
    char text[64];
    out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

// Lists for people: a line's worth, with room around the commas.
std::string shortened(const std::string& text) {
    constexpr std::size_t most = 60;
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        out += text[i];
        if (text[i] == ',') out += ' ';
        if (out.size() >= most && text[i] == ',') return out + "...";
    }
    return out;
}

std::string plain(const std::string& text) {
    if (text == "true") return "yes";
    if (text == "false") return "no";
    if (text == "null") return "-";
    return text;
}

} // namespace

void append_json(std::string& out, bool value) { out += value ? "true" : "false"; }
void append_json(std::string& out, long long value) { append_number(out, value); }
void append_json(std::string& out, unsigned long long value) { append_number(out, value); }

void append_json(std::string& out, float value) {
    if (std::isfinite(value)) append_number(out, value);
    else out += "null";
}

void append_json(std::string& out, double value) {
    if (std::isfinite(value)) append_number(out, value);
    else out += "null";
}

void append_json(std::string& out, Vec3 value) { append_json(out, std::array<float, 3>{value.x, value.y, value.z}); }

void append_json(std::string& out, std::string_view value) {
    static const char* const digits = "0123456789abcdef";
    out += '"';
    for (const char c : value) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') out += '\\';
        if (code >= 0x20) out += c;
        else (((out += "\\u00") += digits[code >> 4]) += digits[code & 15]);
    }
    out += '"';
}

std::string Answer::json() const {
    std::string out = "{";
    for (const Entry& entry : entries_) {
        if (out.size() > 1) out += ',';
        append_json(out, entry.key);
        out += ':' + entry.text;
    }
    return out + "}\n";
}

std::string Answer::table() const {
    std::size_t widest = 0;
    for (const Entry& entry : entries_) widest = std::max(widest, entry.key.size());
    std::string out;
    for (const Entry& entry : entries_) {
        std::string name = entry.key;
        std::replace(name.begin(), name.end(), '_', ' ');
        out += "  " + name + std::string(widest - name.size() + 2, ' ');
        if (entry.is_list) out += std::to_string(entry.length) + (entry.length > 0 ? ": " : "");
        if (!entry.is_list || entry.length > 0) out += shortened(plain(entry.text));
        out += (entry.unit.empty() ? "" : " " + entry.unit) + "\n";
    }
    return out;
}

} // namespace cli
