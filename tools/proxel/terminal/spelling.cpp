#include "terminal/spelling.hpp"

#include <algorithm>
#include <numeric>

namespace cli {
namespace {

// Levenshtein's distance: how many letters to insert, remove or change.
std::size_t edits(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t k = 1; k <= b.size(); ++k) {
            const std::size_t changed = diagonal + (a[i - 1] == b[k - 1] ? 0 : 1);
            diagonal = row[k];
            row[k] = std::min({changed, row[k] + 1, row[k - 1] + 1});
        }
    }
    return row[b.size()];
}

} // namespace

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
    if (word.size() > 40) return "";
    std::string nearest;
    std::size_t fewest = 3; // more than two slips are another word
    for (const std::string& candidate : known) {
        const std::size_t n = edits(word, candidate);
        if (n < fewest && n < candidate.size()) {
            fewest = n;
            nearest = candidate;
        }
    }
    return nearest.empty() ? "" : " Did you mean " + nearest + "?";
}

} // namespace cli
