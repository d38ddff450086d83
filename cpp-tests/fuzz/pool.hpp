// The names of all objects that calls have made: live, stale, and whose they are.
#pragma once

#include <cstdint>
#include <cstring>
#include <mutex>
#include <string_view>
#include <vector>

#include "random.hpp"

namespace fuzz {

/// The number of a type of handle; the generated code has one for each.
template <typename T>
struct Kind;

template <typename T>
std::uint64_t bits_of(T handle) {
    static_assert(sizeof handle == sizeof(std::uint64_t), "a handle is 64 bits");
    std::uint64_t bits = 0;
    std::memcpy(&bits, &handle, sizeof bits);
    return bits;
}

struct Object {
    int kind = 0;
    std::uint64_t bits = 0;
    /// The context that it lives in.
    std::uint64_t context = 0;
    /// What it was made from.
    std::vector<std::uint64_t> parents;
    /// The function that made it.
    std::string_view maker;
    std::uint32_t vertices = 0;
    /// Of a context: which engine's device it lives on, or -1.
    int engine = -1;
    /// Of a batch: nothing can be recorded until it is reset.
    bool submitted = false;
};

class Pool {
public:
    /// An object of a kind for a call that is about `context` and has taken `taken` so far: mostly one that fits, at times one that does
    /// not.
    Object pick(Random& random, int kind, std::uint64_t context, const std::vector<Object>& taken, std::string_view caller,
                double mistakes, bool is_context) {
        std::lock_guard<std::mutex> lock(mutex_);
        if (random.chance(mistakes)) return wrong(random, kind);
        // A context that has something in it.
        if (is_context && !live_.empty() && random.chance(0.9)) {
            const std::uint64_t home = live_[random.below(live_.size())].context;
            for (const Object& object : live_)
                if (object.kind == kind && object.bits == home) return object;
        }
        if (const Object* asked = asked_for(random, kind, caller)) return *asked;
        std::vector<const Object*> fitting;
        // First those that fit in every way, then those that fit in fewer.
        for (int strictness = random.chance(0.8) ? 2 : 1; strictness >= 0 && fitting.empty(); --strictness) {
            for (const Object& object : live_) {
                if (object.kind != kind || (context != 0 && object.context != context)) continue;
                const bool alone = taken.empty() || caller == "prx_batch_rebake";
                if (strictness >= 1 && !alone && !related(object, taken)) continue;
                if (strictness >= 2 && !(made_for(object, caller) || is_ready(object, caller))) continue;
                fitting.push_back(&object);
            }
        }
        if (!fitting.empty()) return *fitting[random.below(fitting.size())];
        Object none;
        none.kind = kind;
        return none;
    }

    void add(Object object) {
        std::lock_guard<std::mutex> lock(mutex_);
        live_.push_back(std::move(object));
        // What nobody destroys is forgotten at some point.
        if (live_.size() > 400) retire(0);
    }

    /// A batch was submitted, or reset.
    void submitted(std::uint64_t bits, bool is) {
        std::lock_guard<std::mutex> lock(mutex_);
        for (Object& object : live_)
            if (object.bits == bits) object.submitted = is;
    }

    /// Takes an object out; with a context or a parent, all that lived in it.
    void remove(std::uint64_t bits, bool itself) {
        std::lock_guard<std::mutex> lock(mutex_);
        for (std::size_t at = live_.size(); at-- > 0;) {
            const Object& object = live_[at];
            const bool inside = object.context == bits || (is_part(object) && has_parent(object, bits));
            if ((itself && object.bits == bits) || inside) retire(at);
        }
    }

    /// Whether `reader` reads what `recorder` recorded: its name goes on from there.
    static bool reads(std::string_view reader, std::string_view recorder) {
        return reader.size() > recorder.size() && reader.substr(0, recorder.size()) == recorder && reader[recorder.size()] == '_';
    }

    bool has_from(std::string_view maker) {
        std::lock_guard<std::mutex> lock(mutex_);
        for (const Object& object : live_)
            if (object.maker == maker) return true;
        return false;
    }

    std::size_t count(int kind) {
        std::lock_guard<std::mutex> lock(mutex_);
        std::size_t count = 0;
        for (const Object& object : live_) count += object.kind == kind;
        return count;
    }

    /// The vertices of a mesh, or of what was made from one; 0 when nobody knows.
    std::uint32_t vertices(std::uint64_t bits) {
        std::lock_guard<std::mutex> lock(mutex_);
        for (const auto* list : {&live_, &stale_})
            for (const Object& object : *list)
                if (object.bits == bits) return object.vertices;
        return 0;
    }

    std::vector<std::uint64_t> all(int kind) {
        std::lock_guard<std::mutex> lock(mutex_);
        std::vector<std::uint64_t> found;
        for (const Object& object : live_)
            if (object.kind == kind) found.push_back(object.bits);
        return found;
    }

private:
    static bool has_parent(const Object& object, std::uint64_t bits) {
        for (std::uint64_t parent : object.parents)
            if (parent == bits) return true;
        return false;
    }
    static bool related(const Object& object, const std::vector<Object>& to) {
        for (const Object& other : to)
            if (has_parent(object, other.bits) || has_parent(other, object.bits)) return true;
        return false;
    }
    /// Whether an object goes with the ones that it was made in: a ticket with its batch, an object with its scene.
    static bool is_part(const Object& object) {
        return object.maker.find("_batch_") != std::string_view::npos || object.maker.find("_scene_add") != std::string_view::npos;
    }

    /// Whether an object was made by the function that belongs to the caller: a ticket by the one that recorded it, a live field for a rebake.
    static bool made_for(const Object& object, std::string_view caller) {
        if (caller == "prx_batch_rebake") return object.maker == "prx_field_create_live";
        return caller.substr(0, object.maker.size()) == object.maker;
    }

    /// Whether a batch is in the state that the caller expects: open for what records into it, submitted for what looks at its answers.
    static bool is_ready(const Object& object, std::string_view caller) {
        if (object.maker != "prx_batch_create") return false;
        for (std::string_view looks : {"prx_batch_poll", "prx_batch_wait", "prx_batch_reset", "prx_batch_destroy"})
            if (caller == looks) return object.submitted;
        return !object.submitted;
    }

    /// The batch of a ticket, for the function that reads such tickets.
    const Object* asked_for(Random& random, int kind, std::string_view caller) {
        std::vector<const Object*> batches;
        for (const Object& ticket : live_) {
            if (!reads(caller, ticket.maker)) continue;
            for (const Object& batch : live_)
                if (batch.kind == kind && has_parent(ticket, batch.bits) && batch.submitted) batches.push_back(&batch);
        }
        return batches.empty() ? nullptr : batches[random.below(batches.size())];
    }

    /// Of no object, of one that is gone, of another context or of another kind.
    Object wrong(Random& random, int kind) {
        Object made;
        made.kind = kind;
        const std::uint32_t way = random.below(5);
        if (way == 0) return made;
        if (way == 1) {
            made.bits = random.bits();
            return made;
        }
        const std::vector<Object>& from = way == 2 || live_.empty() ? stale_ : live_;
        if (from.empty()) return made;
        made = from[random.below(from.size())];
        if (way != 3) return made;
        made.bits ^= 1ull << random.below(64);
        // By chance the name of another one, which may live on another engine's device: then it is that one.
        for (const Object& other : live_)
            if (other.bits == made.bits) return other;
        return made;
    }

    void retire(std::size_t at) {
        stale_.push_back(std::move(live_[at]));
        live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(at));
        if (stale_.size() > 200) stale_.erase(stale_.begin());
    }

    std::mutex mutex_;
    std::vector<Object> live_, stale_;
};

}  // namespace fuzz
