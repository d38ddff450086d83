// Answers must not change when the question changes only in form: asked twice, by other threads, the other way round, elsewhere, with
// triangles cut in four, at another scale. Each relation says how much must stay; each query says which relations it obeys.
//
// PROXEL_METAMORPHIC_CASES=N runs N settings instead of a few, and PROXEL_METAMORPHIC_FIRST=N starts at another one.
#include <memory>

#include "queries.hpp"

using namespace metamorphic;

namespace {

enum class Strength {
    /// Every bit of the answer.
    bits,
    /// The same decisions; and certificates that have a value in common, for a true value lies in each.
    certified,
    /// As above; and certificates that are the same to the last bit.
    equal,
    /// Certificates of lengths only, up to what rounding of the poses moves.
    nearly,
};

enum RelationId : unsigned { twice, threads, swap_bodies, half_turns, turns, parts, larger, smaller };

struct Relation {
    const char* name;
    Strength strength;
    bool one_thread;
    Setting (*change)(const Setting&, Maker&);
};

const Relation relations[] = {
    {"twice", Strength::bits, false, [](const Setting& s, Maker&) { return s; }},
    {"with one thread", Strength::bits, true, [](const Setting& s, Maker&) { return s; }},
    {"swapped", Strength::certified, false, [](const Setting& s, Maker&) { return swapped(s); }},
    {"after a common half turn", Strength::certified, false, [](const Setting& s, Maker& maker) { return under(s, maker.half_turn({2, -1, 0.5f})); }},
    {"after a common turn", Strength::nearly, false, [](const Setting& s, Maker& maker) { return under(s, maker.turn({1, 2, -1})); }},
    {"with triangles in four", Strength::certified, false, [](const Setting& s, Maker&) { return in_parts(s); }},
    {"1024 times larger", Strength::equal, false, [](const Setting& s, Maker&) { return scaled(s, 10); }},
    {"1024 times smaller", Strength::equal, false, [](const Setting& s, Maker&) { return scaled(s, -10); }},
};

constexpr unsigned but(std::initializer_list<RelationId> without) {
    unsigned mask = ~0u;
    for (RelationId id : without) mask &= ~(1u << id);
    return mask;
}

/// `few_deepest`: a search over all that is equally deep takes seconds.
enum class Takes { anything, closed_a, few_deepest, closed, no_degenerate };

struct Query {
    const char* name;
    Answer (*ask)(const Live&);
    Takes takes;
    unsigned obeys;
};

// Who has the field and who the mesh matters; a self-query is about `a`. Lists of features that meet are of vertices and edges, which cutting
// triangles adds. Under a turn that rounds, decisions can change.
const Query queries[] = {
    {"bounds", bounds, Takes::anything, but({swap_bodies, turns})},
    {"sample", sample, Takes::closed_a, but({swap_bodies})},
    {"contacts", contacts, Takes::closed, but({})},
    {"contacts of a scene", scene_contacts, Takes::closed, but({})},
    {"soft contacts", soft_contacts, Takes::closed_a, but({swap_bodies})},
    {"proximity", proximity, Takes::closed_a, but({swap_bodies})},
    {"exact proximity", exact_proximity, Takes::few_deepest, but({swap_bodies})},
    {"penalty", penalty, Takes::closed_a, but({swap_bodies})},
    {"overlap", overlap, Takes::closed_a, but({swap_bodies})},
    {"volume", volume, Takes::closed, but({})},
    {"contains", contains, Takes::closed_a, but({swap_bodies})},
    {"exits", exits, Takes::closed_a, but({swap_bodies})},
    {"distance", distance, Takes::anything, but({})},
    {"pairs", pairs, Takes::anything, but({})},
    {"near pairs", near_pairs, Takes::anything, but({})},
    {"culled pairs", cull, Takes::anything, but({})},
    {"self pairs", self_pairs, Takes::no_degenerate, but({swap_bodies})},
    {"near list", near_list, Takes::anything, but({parts})},
    {"near list of itself", self_near_list, Takes::anything, but({swap_bodies, parts})},
    {"safe distances", safe_distances, Takes::anything, but({parts})},
    {"collision chance", chance, Takes::anything, but({turns})},
    {"sweep", sweep, Takes::anything, but({turns})},
    {"sweep of poses", sweep_poses, Takes::anything, but({turns})},
    {"impacts", impacts, Takes::anything, but({parts, turns})},
    {"self impacts", self_impacts, Takes::anything, but({swap_bodies, parts, turns})},
    {"free step", free_step, Takes::anything, but({turns})},
    {"tetrahedra", tetrahedra, Takes::anything, but({parts, turns})},
    {"scene pairs", scene_pairs, Takes::anything, but({})},
    {"colliding objects", scene_colliding, Takes::anything, but({turns})},
};

bool takes(const Query& query, const Setting& setting) {
    switch (query.takes) {
        case Takes::anything: return true;
        case Takes::closed_a: return setting.a.closed;
        case Takes::few_deepest: return setting.a.closed && !setting.coincident;
        case Takes::closed: return setting.closed();
        default: return !setting.degenerate;
    }
}

/// By how much poses in single precision move one body against the other: in each pose four parts of a quaternion and three of a position are
/// rounded to 24 bits, for bodies within 8 of the origin.
constexpr double pose_rounding = 2 * (4 * 2 + 3) * 8 * 0x1p-24;

std::string difference(const Answer& a, const Answer& b, Strength strength) {
    if (a.status != b.status) return std::string(prx_status_name(a.status)) + " and " + prx_status_name(b.status);
    if (strength == Strength::bits) return a.bits == b.bits ? "" : "other bits";
    if (strength != Strength::nearly && a.decided != b.decided)
        return "decided " + std::to_string(a.decided.size()) + " and " + std::to_string(b.decided.size()) + " things, not the same";
    if (a.certificates.size() != b.certificates.size()) return "other certificates";
    for (std::size_t i = 0; i < a.certificates.size(); ++i) {
        const Certificate &p = a.certificates[i], &q = b.certificates[i];
        if (strength == Strength::nearly && p.dimension != 1) continue;
        const double slack = strength == Strength::nearly ? pose_rounding : 0;
        const bool same = p.lower == q.lower && p.upper == q.upper;
        // Written so that a NaN fails.
        const bool fits = strength == Strength::equal ? same : p.lower <= p.upper && q.lower <= q.upper && p.lower <= q.upper + slack && q.lower <= p.upper + slack;
        if (!fits)
            return std::string(p.what) + " in [" + std::to_string(p.lower) + ", " + std::to_string(p.upper) + "] and [" + std::to_string(q.lower) + ", " +
                   std::to_string(q.upper) + "]";
    }
    return "";
}

unsigned number(const char* name, unsigned otherwise) {
    const char* text = std::getenv(name);
    return text != nullptr ? static_cast<unsigned>(std::stoul(text)) : otherwise;
}

}  // namespace

TEST_CASE("answers obey their relations") {
    test::Witness witness;
    PrxContextDef def = witness.def();
    def.worker_threads = 4;
    const proxel::Context several = NEED(proxel::Context::open(def));
    def.worker_threads = 1;
    const proxel::Context one = NEED(proxel::Context::open(def));

    const unsigned first = number("PROXEL_METAMORPHIC_FIRST", 0), count = number("PROXEL_METAMORPHIC_CASES", 8);
    std::map<std::string, unsigned> compared;
    for (unsigned seed = first; seed < first + count; ++seed) {
        Maker maker(seed);
        const Live original(maker.make(seed), several);
        std::vector<std::unique_ptr<Live>> changed;
        for (const Relation& relation : relations)
            changed.push_back(std::make_unique<Live>(relation.change(original.setting, maker), relation.one_thread ? one : several));
        for (const Query& query : queries) {
            if (!takes(query, original.setting)) continue;
            const Answer answer = query.ask(original);
            for (std::size_t i = 0; i < std::size(relations); ++i) {
                if ((query.obeys >> i & 1) == 0) continue;
                const std::string what = difference(answer, query.ask(*changed[i]), relations[i].strength);
                test::record(what.empty(), __FILE__, __LINE__, "setting " + std::to_string(seed) + ": " + query.name + " " + relations[i].name + ": " + what);
                ++compared[query.name];
            }
        }
    }
    // None is left out, except where few settings were asked for.
    for (const Query& query : queries) CHECK((compared[query.name] > 0 || count < 8));
}
