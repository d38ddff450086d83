// The engine's allocator: all memory comes from it and goes back, and where it has none, the answer is a status.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>

#ifdef _WIN32
#include <malloc.h>
#endif

#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

void* system_allocate(std::uint64_t size, std::uint64_t alignment) {
#ifdef _WIN32
    return _aligned_malloc(size, alignment);
#else
    void* memory = nullptr;
    return posix_memalign(&memory, alignment < sizeof(void*) ? sizeof(void*) : alignment, size) == 0 ? memory : nullptr;
#endif
}

void system_free(void* memory) {
#ifdef _WIN32
    _aligned_free(memory);
#else
    std::free(memory);
#endif
}

/// What is smaller is not sized by the meshes of these tests.
constexpr std::uint64_t large = 32 << 10;

/// Knows every block, and refuses large ones on demand.
class Counting {
public:
    void* allocate(std::uint64_t size, std::uint64_t alignment) {
        if (refuses(size)) return nullptr;
        void* memory = system_allocate(size, alignment);
        std::lock_guard<std::mutex> lock(mutex_);
        blocks_[memory] = {size, alignment};
        live_ += size;
        ++calls_;
        return memory;
    }
    void free(void* memory, std::uint64_t size, std::uint64_t alignment) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            const auto block = blocks_.find(memory);
            if (block == blocks_.end() || block->second != std::pair(size, alignment)) {
                ++wrong_;
                return;
            }
            blocks_.erase(block);
            live_ -= size;
        }
        system_free(memory);
    }
    void* reallocate(void* memory, std::uint64_t size, std::uint64_t alignment, std::uint64_t new_size) {
        void* moved = allocate(new_size, alignment);
        if (moved == nullptr) return nullptr;
        std::memcpy(moved, memory, size < new_size ? size : new_size);
        free(memory, size, alignment);
        return moved;
    }

    /// Refuses the nth large block from now on; 0 for none. Gives how many were left to go.
    std::int64_t refuse(std::int64_t nth) { return until_.exchange(nth); }
    /// Refuses everything, small blocks too.
    void refuse_all(bool all) { all_ = all; }

    /// Small blocks that were refused.
    int refused() { return refused_; }

    std::uint64_t live() {
        std::lock_guard<std::mutex> lock(mutex_);
        return live_;
    }
    /// How many blocks there are of each size.
    void print() {
        std::lock_guard<std::mutex> lock(mutex_);
        std::map<std::uint64_t, int> sizes;
        for (const auto& [memory, block] : blocks_) ++sizes[block.first];
        for (const auto& [size, blocks] : sizes) std::printf("%d blocks of %llu bytes\n", blocks, static_cast<unsigned long long>(size));
    }
    std::uint64_t calls() {
        std::lock_guard<std::mutex> lock(mutex_);
        return calls_;
    }
    /// Blocks that came back with another size or alignment, or twice.
    int wrong() {
        std::lock_guard<std::mutex> lock(mutex_);
        return wrong_;
    }

private:
    bool refuses(std::uint64_t size) {
        if (all_) refused_ += size < large;
        return all_ || (size >= large && until_ > 0 && until_.fetch_sub(1) == 1);
    }

    std::mutex mutex_;
    std::unordered_map<void*, std::pair<std::uint64_t, std::uint64_t>> blocks_;
    std::uint64_t live_ = 0, calls_ = 0;
    int wrong_ = 0;
    std::atomic<std::int64_t> until_{0};
    std::atomic<bool> all_{false};
    std::atomic<int> refused_{0};
};

/// Never destroyed: threads may free while the process ends.
Counting& counting() {
    static Counting* all = new Counting;
    return *all;
}

PrxAllocator allocator() {
    PrxAllocator def = prx_allocator_default();
    def.user = &counting();
    def.allocate = [](void* self, std::uint64_t size, std::uint64_t alignment) {
        return static_cast<Counting*>(self)->allocate(size, alignment);
    };
#ifndef WITHOUT_REALLOCATE
    def.reallocate = [](void* self, void* memory, std::uint64_t size, std::uint64_t alignment, std::uint64_t new_size) {
        return static_cast<Counting*>(self)->reallocate(memory, size, alignment, new_size);
    };
#endif
    def.free = [](void* self, void* memory, std::uint64_t size, std::uint64_t alignment) {
        static_cast<Counting*>(self)->free(memory, size, alignment);
    };
    return def;
}

/// After the locals of the main thread, so that nothing at all may be left.
[[maybe_unused]] void at_exit() {
    if (counting().live() == 0 && counting().wrong() == 0) return;
    counting().print();
    std::printf("were never freed\n");
    std::fflush(stdout);
    std::_Exit(1);
}

/// Before any test, and so before any other call.
const PrxStatus first = [] {
#ifndef _WIN32 // There the locals of the main thread go with the DLL, after the program's own end.
    std::atexit(at_exit);
#endif
    const PrxAllocator def = allocator();
    return prx_set_allocator(&def);
}();

TEST_CASE("it is set once, before anything else") {
    CHECK_EQ(first, PRX_STATUS_OK);
    PrxAllocator def = allocator();
    CHECK_EQ(prx_set_allocator(&def), PRX_STATUS_WRONG_STATE);
    CHECK(contains(prx_last_error(nullptr), "before any other function"));
    CHECK_EQ(prx_set_allocator(nullptr), PRX_STATUS_INVALID_ARGUMENT);
    def.free = nullptr;
    CHECK_EQ(prx_set_allocator(&def), PRX_STATUS_INVALID_ARGUMENT);
    def.size = 7;
    CHECK_EQ(prx_set_allocator(&def), PRX_STATUS_STRUCT_SIZE);
}

/// A context with all kinds of work on it.
void live(Witness& witness) {
    proxel::Context context = NEED(proxel::Context::open(witness.def()));
    const Shape ring = torus(48, 24);
    proxel::Mesh a = NEED(context.mesh(ring.positions, ring.triangles));
    proxel::Mesh b = NEED(context.mesh(ring.positions, ring.triangles));
    CHECK(NEED(context.pairs(a, {b, at(1.02f, 0, 0)})).size() > 0);
    PrxFieldDef def = prx_field_def_default();
    def.resolution = 24;
    proxel::Field field = NEED(context.bake(b, def));
    NEED(field.wait());
    NEED(context.proximity({field, at(1, 0, 0)}, a));
}

TEST_CASE("what is allocated is freed when the last context and the threads that called are gone") {
    Witness witness;
    // This thread may have a message already, which it keeps.
    const std::uint64_t before = counting().live(), calls = counting().calls();
    for (int life = 0; life < 8; ++life) {
        std::thread([&] { live(witness); }).join();
        CHECK_EQ(counting().live(), before);
    }
    CHECK(counting().calls() > calls + 1000);
    // Two at once, and threads that stay: without an error, a thread keeps nothing.
    live(witness);
    std::thread other([&] { live(witness); });
    live(witness);
    other.join();
    CHECK_EQ(counting().live(), before);
    CHECK_EQ(counting().wrong(), 0);
}

/// Asks again and again, each time with another large block refused, until there is none left. Gives how often it was refused.
template <typename Ask>
int refuse_each(const char* what, Ask ask) {
    int refused = 0;
    for (std::int64_t nth = 1; nth < 100000; nth += 1 + nth / 16) {
        counting().refuse(nth);
        const PrxStatus status = ask();
        const bool reached = counting().refuse(0) <= 0;
        const bool memory = status == PRX_STATUS_OUT_OF_HOST_MEMORY || status == PRX_STATUS_OUT_OF_DEVICE_MEMORY;
        CHECK_MESSAGE((status == PRX_STATUS_OK || memory), what, ": ", prx_status_name(status));
        if (!reached) return refused;
        refused += memory;
    }
    FAIL_CHECK(what, " allocates without end");
    return refused;
}

TEST_CASE("memory that is refused is a status") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def(PRX_SEVERITY_ERROR)));
    const Shape ring = torus(80, 40);
    auto mesh = [&] { return context.mesh(ring.positions, ring.triangles); };
    CHECK(refuse_each("a mesh", [&] { return mesh().status(); }) > 3);
    const std::vector<Vec3>& positions = ring.positions;
    CHECK(refuse_each("a distance", [&] {
        auto a = mesh(), b = mesh();
        if (!a || !b) return a ? b.status() : a.status();
        return context.distance(a.value(), {b.value(), at(3, 0, 0)}).status();
    }) > 5);
    CHECK(refuse_each("pairs", [&] {
        auto a = mesh(), b = mesh();
        if (!a || !b) return a ? b.status() : a.status();
        return context.pairs(a.value(), {b.value(), at(1, 0, 0)}).status();
    }) > 5);
    CHECK(refuse_each("a bake", [&] {
        auto a = mesh();
        if (!a) return a.status();
        PrxFieldDef def = prx_field_def_default();
        def.resolution = 24;
        auto field = context.bake(a.value(), def);
        return field ? field.value().wait().status() : field.status();
    }) > 5);
    // Nothing is spoilt.
    proxel::Mesh whole = NEED(mesh());
    CHECK_EQ(NEED(whole.self_pairs()).size(), 0u);
    CHECK_EQ(positions.size(), 3200u);
}

TEST_CASE("without any memory a call is refused, and small objects of the way out come from the reserve") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(witness.def(PRX_SEVERITY_ERROR)));
    const Shape ring = torus(80, 40);
    proxel::Mesh whole = NEED(context.mesh(ring.positions, ring.triangles));
    const std::size_t pairs = NEED(context.pairs(whole, {whole, at(1, 0, 0)})).size();
    const std::uint64_t before = counting().live();
    for (int round = 0; round < 100; ++round) {
        counting().refuse_all(true);
        const PrxStatus mesh = context.mesh(ring.positions, ring.triangles).status();
        const PrxStatus asked = context.pairs(whole, {whole, at(1, 0, 0)}).status();
        counting().refuse_all(false);
        CHECK_EQ(mesh, PRX_STATUS_OUT_OF_HOST_MEMORY);
        CHECK((asked == PRX_STATUS_OK || asked == PRX_STATUS_OUT_OF_HOST_MEMORY));
    }
    CHECK(counting().refused() > 0);
    CHECK_EQ(NEED(context.pairs(whole, {whole, at(1, 0, 0)})).size(), pairs);
    CHECK_EQ(counting().wrong(), 0);
    CHECK(counting().live() <= before + large);
}

}  // namespace
