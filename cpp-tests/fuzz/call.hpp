// One call in the making: its arguments, what it may touch, and what must hold when it returns.
#pragma once

#include <proxel.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "memory.hpp"
#include "pool.hpp"
#include "world.hpp"

namespace fuzz {

class Call;

struct Function {
    const char* name;
    void (*run)(Call&);
    /// The kind of object that it makes, or -1.
    int creates;
    /// Whether it returns a status.
    bool fails;
};

/// What became of the calls of one function.
struct Tally {
    std::uint64_t calls = 0, successes = 0;
    /// In seconds.
    double slowest = 0, total = 0;
};

/// A thread that makes calls.
struct Worker {
    World& world;
    Random random;
    Arena arena;
    std::map<std::string_view, Tally> tallies;
    /// How many elements a function last had to give.
    std::map<std::string_view, std::uint64_t> needed;
    /// What was called so far, the newest last.
    std::vector<std::string> history;
    std::atomic<const Call*> current{nullptr};
    std::atomic<std::int64_t> started{0};

    Worker(World& world, std::uint64_t seed) : world(world), random(seed) {}
};

/// What `show` writes to.
struct Text {
    std::ostream& out;

    template <typename T>
    Text& operator<<(const T& part) {
        out << part;
        return *this;
    }
};

inline void show(Text& out, float v) { out << v << ' '; }
inline void show(Text& out, double v) { out << v << ' '; }
inline void show(Text& out, std::uint8_t v) { out << static_cast<unsigned>(v) << ' '; }
inline void show(Text& out, std::int32_t v) { out << v << ' '; }
inline void show(Text& out, std::uint32_t v) { out << v << ' '; }
inline void show(Text& out, std::uint64_t v) { out << v << ' '; }
template <typename E, typename = std::enable_if_t<std::is_enum_v<E>>>
void show(Text& out, E v) {
    show(out, static_cast<std::uint32_t>(v));
}

class Call {
public:
    Worker& worker;
    World& world;
    Random& random;
    const Function& function;

    /// `tame` calls make no mistakes on purpose.
    Call(Worker& worker, const Function& function, bool tame)
        : worker(worker), world(worker.world), random(worker.random), function(function), tame_(tame) {
        worker.arena.clear();
    }

    // --- arguments --------------------------------------------------------------------------------------------------

    template <typename T>
    T handle(const char* name) {
        const int kind = Kind<T>::number;
        Object object;
        const Object* twin = nullptr;
        for (const Object& earlier : taken_)
            if (earlier.kind == kind && earlier.bits != 0) twin = &earlier;
        if (twin != nullptr && random.chance(0.3)) {
            object = *twin;
        } else {
            const bool is_context = std::is_same_v<T, PrxContext*>;
            object = world.pool.pick(random, kind, is_context ? 0 : context_.bits, taken_, function.name, tame_ ? 0 : 0.04,
                                     is_context);
        }
        if constexpr (std::is_same_v<T, PrxContext*>) {
            context_ = object;
        } else {
            if (context_.bits == 0 && object.context != 0) {
                context_.bits = object.context;
                context_.engine = object.engine;
            }
            taken_.push_back(object);
        }
        last_ = object.bits;
        note(name, object.bits);
        T value;
        std::memcpy(&value, &object.bits, sizeof value);
        if constexpr (std::is_same_v<T, PrxBatch*>) {
            // Answers are there once the batch was run. Some take seconds: it need not run again.
            const std::string_view caller = function.name;
            if (tame_ && caller.find("_result") != std::string_view::npos) {
                if (!object.submitted && prx_batch_submit(value, nullptr) == PRX_STATUS_OK) world.pool.submitted(object.bits, true);
                prx_batch_wait(value, UINT64_MAX);
            }
        }
        return value;
    }

    template <typename T>
    T* new_handle(const char* name) {
        new_kind_ = Kind<T>::number;
        T* place = out<T>(name, 1);
        made_ = reinterpret_cast<std::uint8_t*>(place);
        return place;
    }

    template <typename T>
    T number(const char* name) {
        T value{};
        if constexpr (std::is_floating_point_v<T>) {
            const T usual[] = {0, T(0.01), T(0.1), T(0.5), 1, 2};
            value = random.of(usual);
        } else if constexpr (sizeof(T) == 8) {
            const T usual[] = {0, 1000, 1000000000, UINT64_MAX};
            value = random.of(usual);
        } else {
            const T usual[] = {0, 0, 1, 2, 3, 16, 256, 4096};
            value = random.of(usual);
        }
        if (!tame_ && random.chance(0.15)) random.edge(value);
        // A small limit ends all that follows on the context.
        if constexpr (sizeof(T) == 8 && !std::is_floating_point_v<T>)
            if (std::string_view(function.name) == "prx_context_set_time_limit" && random.chance(0.9)) value = UINT64_MAX - random.below(2);
        note(name, value);
        return value;
    }

    template <typename E>
    E choice(const char* name, std::size_t variants) {
        const std::uint32_t value = tame_ ? random.below(variants) : random.choice(variants);
        note(name, value);
        return static_cast<E>(value);
    }

    template <typename T>
    T count(const char* name) {
        T value = random.below(random.chance(0.9) ? 5 : 200);
        if (tame_ && random.chance(0.4)) value = 1;
        if (std::string_view(name) == "size") {
            blob_ = world.blob(random);
            value = static_cast<T>(blob_.size());
            if (!tame_ && random.chance(0.2)) value = random.below(value + 1);
        }
        note(name, value);
        return value;
    }

    template <typename T>
    T capacity(const char* name) {
        const T usual[] = {0, 1, 2, 16, 100, 1000};
        T value = random.of(usual);
        const auto last = worker.needed.find(function.name);
        if (last != worker.needed.end() && last->second < 100000 && random.chance(0.6)) value = static_cast<T>(last->second);
        capacity_ = value;
        note(name, value);
        return value;
    }

    std::uint64_t stride(const char* name) {
        const std::uint64_t usual[] = {12, 16, 20, 24, 40}, strange[] = {0, 1, 4, 11, 13, 15};
        const std::uint64_t value = tame_ || random.chance(0.9) ? random.of(usual) : random.of(strange);
        note(name, value);
        return value;
    }

    const char* text(const char* name) { return string(name, world.path(random)); }

    template <typename T>
    T value(const char* name) {
        return *one_of<T>(name);
    }

    /// A struct to read; null now and then, as most may be.
    template <typename T>
    const T* one(const char* name) {
        return random.chance(optional<T>()) ? nothing<T>(name) : one_of<T>(name);
    }

    template <typename T>
    T* inout(const char* name) {
        if (!tame_ && random.chance(0.02)) return nothing<T>(name);
        T* place = one_of<T>(name);
        inputs_.pop_back();
        return place;
    }

    template <typename T>
    const T* many(const char* name, std::uint64_t count) {
        if (!tame_ && random.chance(0.02)) return nothing<T>(name);
        T* place = place_for<T>(count);
        const bool shares = std::is_floating_point_v<T> && random.chance(0.5);
        for (std::uint64_t i = 0; i < count; ++i) {
            if constexpr (std::is_arithmetic_v<T>) {
                place[i] = shares ? static_cast<T>(1.0 / static_cast<double>(count)) : T{};
                if (!shares) fill(*this, place[i]);
                if (!tame_ && random.chance(0.01)) random.edge(place[i]);
            } else {
                fill(*this, place[i]);
                if (!tame_ && random.chance(0.03)) mutate(*this, place[i]);
            }
        }
        return input(name, place, count);
    }

    /// Points of three floats, some bytes apart.
    const void* points(const char* name, std::uint64_t count, std::uint64_t stride) {
        if (!tame_ && random.chance(0.02)) return nothing<std::uint8_t>(name);
        const std::string_view called = function.name;
        const bool doubles = called.size() > 4 && called.substr(called.size() - 4) == "_f64";
        const std::uint64_t each = doubles ? 8 : 4, bytes = count == 0 ? 0 : (count - 1) * stride + 3 * each;
        std::uint8_t* place = worker.arena.take(bytes, 0).data;
        for (std::uint64_t i = 0; i < count; ++i) {
            for (std::uint64_t axis = 0; axis < 3; ++axis) {
                float number = static_cast<float>(random.within(-1.5, 1.5));
                if (!tame_ && random.chance(0.01)) random.edge(number);
                const double wide = number * (1 + 1e-10);
                std::memcpy(place + i * stride + each * axis, doubles ? static_cast<const void*>(&wide) : &number, each);
            }
        }
        return input(name, place, bytes);
    }

    const void* bytes(const char* name, std::uint64_t count) {
        if (!tame_ && random.chance(0.02)) return nothing<std::uint8_t>(name);
        std::uint8_t* place = worker.arena.take(count, 0).data;
        if (count > 0) std::memcpy(place, blob_.data(), count);
        for (int change = 0; !tame_ && count > 0 && change < 3; ++change)
            if (random.chance(0.2)) place[random.below(count)] = static_cast<std::uint8_t>(random.bits());
        return input(name, place, count);
    }

    template <typename T>
    T* out(const char* name, std::uint64_t count) {
        if (!tame_ && random.chance(0.02)) return nothing<T>(name);
        const Arena::Piece piece = worker.arena.take(count * sizeof(T), unwritten);
        // A struct that begins with its size says which one the caller knows.
        if constexpr (std::is_class_v<T>) {
            if (is_sized<T>(0)) {
                const std::uint32_t size = sizeof(T);
                std::memcpy(piece.data, &size, sizeof size);
                if (!tame_ && random.chance(0.1)) random.edge(*reinterpret_cast<std::uint32_t*>(piece.data));
                return reinterpret_cast<T*>(piece.data);
            }
        }
        // Counts tell what was needed, also when the call fails.
        const bool counts = sizeof(T) == 8 && std::is_integral_v<T>;
        if (counts) count_ = piece.data;
        outputs_.push_back({name, piece, counts, sizeof(T)});
        return reinterpret_cast<T*>(piece.data);
    }

    // --- for the bodies ---------------------------------------------------------------------------------------------

    bool tame() const { return tame_; }
    int engine() const { return context_.engine; }
    void makes(std::uint32_t vertices) { vertices_ = vertices; }
    void makes_on(int engine) { new_engine_ = engine; }

    std::uint64_t vertices(std::uint64_t bits) {
        const std::uint32_t known = world.pool.vertices(bits);
        return known != 0 ? known : World::most_vertices;
    }
    /// The vertices of the mesh that the call is about.
    std::uint64_t vertices() {
        for (auto object = taken_.rbegin(); object != taken_.rend(); ++object)
            if (object->vertices != 0) return object->vertices;
        return World::most_vertices;
    }
    /// The nodes of a grid, as far as anyone could have them.
    std::uint64_t nodes(const PrxGrid* grid) const {
        std::uint64_t nodes = 1;
        if (grid == nullptr) return nodes;
        for (std::uint32_t along : grid->nodes) nodes = along > 200 || nodes > 1000000 ? 1 : nodes * along;
        return nodes;
    }

    /// A copy in guarded memory.
    template <typename T>
    const T* keep(const char* name, const std::vector<T>& values) {
        T* place = place_for<T>(values.size());
        if (!values.empty()) std::memcpy(place, values.data(), values.size() * sizeof(T));
        return input(name, place, values.size() * sizeof(T) > 4096 ? 0 : values.size());
    }
    const char* string(const char* name, const std::string& text) {
        notes_ += std::string(" ") + name + "=\"" + (text.size() > 100 ? text.substr(0, 100) + "..." : text) + "\"";
        auto* place = reinterpret_cast<char*>(worker.arena.take(text.size() + 1, 0).data);
        std::memcpy(place, text.c_str(), text.size() + 1);
        return place;
    }

    template <typename T>
    T* one_of(const char* name) {
        T* place = place_for<T>(1);
        fill(*this, *place);
        while (!tame_ && random.chance(0.12)) mutate(*this, *place);
        return const_cast<T*>(input(name, place, 1));
    }

    // --- the call itself --------------------------------------------------------------------------------------------

    void begin() {
        for (Input& input : inputs_) input.before = hash(input);
        worker.current = this;
        worker.started = now();
    }

    void end(std::uint32_t status) {
        finish(status == PRX_STATUS_OK);
        notes_ += std::string(" -> ") + prx_status_name(status);
        if (status == PRX_STATUS_INTERNAL || status == PRX_STATUS_VULKAN || status == PRX_STATUS_DEVICE_LOST)
            find(std::string(prx_status_name(status)) + ": " + prx_last_error(nullptr));
        if (status > PRX_STATUS_CANCELLED) find("no such status");
        if (status != PRX_STATUS_OK && *prx_last_error(nullptr) == '\0') find("it failed without a message");
        check_outputs(status == PRX_STATUS_OK);
        if (status == PRX_STATUS_OK) {
            if (made_ != nullptr) add();
            remove();
        }
        file();
    }

    void end_text(const char* text) {
        finish(true);
        if (text == nullptr || std::strlen(text) > 10000) find("it gave no text");
        file();
    }

    void end_value() {
        finish(true);
        file();
    }

    void print(std::ostream& out) const {
        Text text{out};
        out << function.name << notes_ << "\n";
        for (const Input& input : inputs_) {
            out << "    " << input.name << " (" << input.count << ")";
            for (std::uint64_t i = 0; i < input.count && i < 4; ++i) input.show(text, input.data + i * input.size);
            out << "\n";
        }
    }

    static std::int64_t now() {
        return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }

private:
    static constexpr std::uint8_t unwritten = 0xcd;

    struct Input {
        const char* name;
        const std::uint8_t* data;
        std::uint64_t count;
        std::size_t size;
        void (*show)(Text&, const std::uint8_t*);
        std::uint64_t before;
    };
    struct Output {
        const char* name;
        Arena::Piece piece;
        bool counts;
        std::size_t size;
    };

    template <typename T>
    static auto is_sized(int) -> decltype(T::size, true) {
        return offsetof(T, size) == 0;
    }
    template <typename T>
    static bool is_sized(long) {
        return false;
    }
    /// How often a struct is left out: poses and defs often, what a call cannot do without seldom.
    template <typename T>
    double optional() const {
        if (function.creates >= 0 && !std::is_same_v<T, PrxPose>) return tame_ ? 0 : 0.03;
        // The defaults of defs are finer than need be.
        return is_sized<T>(0) ? 0.05 : 0.25;
    }

    template <typename T>
    T* place_for(std::uint64_t count) {
        return reinterpret_cast<T*>(worker.arena.take(count * sizeof(T), 0).data);
    }
    template <typename T>
    T* nothing(const char* name) {
        note(name, std::uint64_t{0});
        return nullptr;
    }
    template <typename T>
    const T* input(const char* name, const T* data, std::uint64_t count) {
        auto shown = [](Text& out, const std::uint8_t* at) {
            T copy;
            std::memcpy(static_cast<void*>(&copy), at, sizeof copy);
            show(out << ' ', copy);
        };
        inputs_.push_back({name, reinterpret_cast<const std::uint8_t*>(data), count, sizeof(T), shown, 0});
        return data;
    }
    static std::uint64_t hash(const Input& input) {
        std::uint64_t hash = 0xcbf29ce484222325;
        for (std::uint64_t i = 0; i < input.count * input.size && i < 4096; ++i) hash = (hash ^ input.data[i]) * 0x100000001b3;
        return hash;
    }

    template <typename T>
    void note(const char* name, T value) {
        notes_ += std::string(" ") + name + "=" + std::to_string(value);
    }

    void find(const std::string& what) { world.find(*this, what); }

    void finish(bool success) {
        const double seconds = static_cast<double>(now() - worker.started) / 1000;
        worker.current = nullptr;
        Tally& tally = worker.tallies[function.name];
        ++tally.calls;
        tally.successes += success;
        tally.total += seconds;
        if (seconds > tally.slowest) tally.slowest = seconds;
        if (!worker.arena.intact()) find("it wrote in front of an argument");
        for (const Input& input : inputs_)
            if (hash(input) != input.before) find(std::string("it changed its input ") + input.name);
    }

    void check_outputs(bool success) {
        std::uint64_t count = 0;
        if (count_ != nullptr) std::memcpy(&count, count_, sizeof count);
        const bool counted = count_ != nullptr && count != 0xcdcdcdcdcdcdcdcd;
        if (counted && capacity_ != UINT64_MAX) {
            worker.needed[function.name] = count;
            if (success && count > capacity_) find("it succeeded with " + std::to_string(count) + " elements");
        }
        for (const Output& output : outputs_) {
            if (output.counts) continue;
            // An array is written up to its count, and everything on success only.
            std::uint64_t from = 0;
            if (success) from = counted && capacity_ != UINT64_MAX && std::string_view(output.name) == "out" ? count * output.size : UINT64_MAX;
            for (std::uint64_t i = from; i < output.piece.bytes; ++i)
                if (output.piece.data[i] != unwritten) {
                    find(std::string("it wrote to ") + output.name + (success ? " behind its count" : " and failed"));
                    break;
                }
            if (success && output.size == 1 && counted) world.keep_blob(output.piece.data, count);
        }
    }

    void add() {
        Object object;
        object.kind = new_kind_;
        std::memcpy(&object.bits, made_, sizeof object.bits);
        if (object.bits == 0) find("it made nothing");
        object.context = context_.bits;
        object.engine = new_engine_ >= 0 ? new_engine_ : context_.engine;
        object.maker = function.name;
        object.vertices = vertices_;
        for (const Object& parent : taken_) {
            object.parents.push_back(parent.bits);
            if (object.vertices == 0) object.vertices = parent.vertices;
        }
        world.pool.add(std::move(object));
    }

    void remove() {
        const std::string_view name = function.name;
        auto ends = [&](std::string_view end) { return name.size() > end.size() && name.substr(name.size() - end.size()) == end; };
        if (ends("_destroy") || ends("_remove")) world.pool.remove(last_, true);
        if (ends("_reset")) world.pool.remove(last_, false);
        if (ends("_submit") || ends("_reset")) world.pool.submitted(last_, ends("_submit"));
    }

    /// Into the history.
    void file() {
        worker.history.push_back(std::string(function.name) + notes_);
        if (world.trace) world.tell(*this);
        if (worker.history.size() > 200) worker.history.erase(worker.history.begin(), worker.history.begin() + 100);
    }

    bool tame_;
    Object context_;
    std::vector<Object> taken_;
    std::uint64_t last_ = 0, capacity_ = UINT64_MAX;
    std::vector<std::uint8_t> blob_;
    std::vector<Input> inputs_;
    std::vector<Output> outputs_;
    std::uint8_t *made_ = nullptr, *count_ = nullptr;
    int new_kind_ = -1, new_engine_ = -1;
    std::uint32_t vertices_ = 0;
    std::string notes_;
};

inline void fill(Call& call, float& v) { v = static_cast<float>(call.random.within(-1, 1)); }
inline void fill(Call& call, double& v) { v = call.random.within(0, 1); }
inline void fill(Call& call, std::uint8_t& v) { v = static_cast<std::uint8_t>(call.random.bits()); }
inline void fill(Call& call, std::int32_t& v) { v = static_cast<std::int32_t>(call.random.below(4)); }
inline void fill(Call& call, std::uint32_t& v) { v = call.random.below(4); }
inline void fill(Call& call, std::uint64_t& v) { v = call.random.below(1000); }
template <typename E, typename = std::enable_if_t<std::is_enum_v<E>>>
void fill(Call& call, E& v) {
    v = static_cast<E>(call.random.below(4));
}

}  // namespace fuzz
