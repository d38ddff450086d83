// The engine's threads: with job callbacks a context starts none of its own, and answers the same whatever the engine does with its items.
#include <atomic>
#include <cstring>
#include <fstream>
#include <string>

#ifdef __linux__
#include <dirent.h>
#endif

#include "job_pool.hpp"
#include "shapes.hpp"
#include "witness.hpp"

using namespace test;

namespace {

/// The names of the threads of this process; empty where the system does not tell.
std::vector<std::string> thread_names() {
    std::vector<std::string> names;
#ifdef __linux__
    DIR* tasks = opendir("/proc/self/task");
    while (const dirent* task = readdir(tasks)) {
        if (task->d_name[0] == '.') continue;
        std::ifstream file(std::string("/proc/self/task/") + task->d_name + "/comm");
        std::string name;
        std::getline(file, name);
        if (!name.empty()) names.push_back(name);
    }
    closedir(tasks);
#endif
    return names;
}

/// What one context has to say of two tori through each other; the same bits whoever does the work.
struct Answers {
    double distance = 0, recorded_distance = 0, volume = 0;
    std::size_t pairs = 0, self_pairs = 0, near = 0;
    float low = 0, separation = 0;

    bool operator==(const Answers& other) const {
        return distance == other.distance && recorded_distance == other.recorded_distance && volume == other.volume &&
               pairs == other.pairs && self_pairs == other.self_pairs && near == other.near && low == other.low &&
               separation == other.separation;
    }
};

/// How a batch is waited for.
enum class Patience { wait, poll, limited };

void finish(proxel::Batch& batch, Patience patience) {
    NEED(batch.submit());
    if (patience == Patience::wait) return NEED(batch.wait());
    while (!(patience == Patience::poll ? NEED(batch.poll()) : NEED(batch.wait_for(1000)))) std::this_thread::yield();
}

/// Exact queries, a bake, and a batch of queries for the device and for the CPU. `seen` gets the threads of the process while all of it is alive.
Answers ask(const proxel::Context& context, Patience patience = Patience::wait, std::vector<std::string>* seen = nullptr) {
    Answers answers;
    const Shape ring = torus(48, 24);
    proxel::Mesh a = NEED(context.mesh(ring.positions, ring.triangles, "a", PRX_MESH_DEFORMING));
    proxel::Mesh b = NEED(context.mesh(ring.positions, ring.triangles, "b"));
    const PrxPose aside = at(1.02f, 0.03f, 0.01f), apart = at(3.0f, 0.1f, 0.2f);
    answers.pairs = NEED(context.pairs(a, {b, aside})).size();
    answers.distance = NEED(context.distance(a, {b, apart})).distance;
    answers.self_pairs = NEED(a.self_pairs()).size();
    answers.volume = NEED(context.exact_intersection(a, {b, aside})).volume;
    PrxNearDef near = prx_near_def_default();
    near.thickness = 0.05;
    answers.near = NEED(context.near_pairs(a, {b, aside}, near, 100000)).size();
    PrxFieldDef bake = prx_field_def_default();
    bake.resolution = 32;
    proxel::Field field = NEED(context.bake(b, bake));
    NEED(field.wait());
    proxel::Batch batch = NEED(context.batch());
    auto bounds = NEED(batch.bounds(a));
    auto proximity = NEED(batch.proximity({field, aside}, a));
    PrxTicket exact{0};
    CHECK_EQ(prx_batch_distance(batch.handle(), a.handle(), nullptr, b.handle(), &apart, nullptr, &exact), PRX_STATUS_OK);
    finish(batch, patience);
    PrxDistance recorded{};
    CHECK_EQ(prx_batch_distance_result(batch.handle(), exact, &recorded), PRX_STATUS_OK);
    answers.recorded_distance = recorded.distance;
    CHECK_EQ(recorded.distance, answers.distance);
    answers.low = NEED(batch.read(bounds)).min[0];
    answers.separation = NEED(batch.read(proximity)).distance;
    if (seen != nullptr) *seen = thread_names();
    return answers;
}

/// On the device under test, or the host.
PrxContextDef def_on(Witness& witness, bool host) {
    PrxContextDef def = witness.def();
    if (host) {
        def.device = PRX_DEVICE_HOST;
        def.device_name = nullptr;
    }
    def.worker_threads = 3;
    return def;
}

/// On every device: what threads of Proxel's own say.
Answers expected(bool host) {
    Witness witness;
    return ask(NEED(proxel::Context::open(def_on(witness, host))));
}

TEST_CASE("no thread of ours") {
    for (bool host : {true, false}) {
        Witness witness;
        PrxContextDef def = def_on(witness, host);
        JobPool pool(2);
        proxel::Context context = NEED(proxel::Context::open(pool.serve(def)));
        // A driver may start threads with its first work.
        const Shape shape = cube();
        proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
        NEED(mesh.bounds());
        const std::size_t before = thread_names().size();
        std::vector<std::string> during;
        for (Patience patience : {Patience::wait, Patience::poll, Patience::limited}) {
            ask(context, patience, &during);
            CHECK_EQ(during.size(), before);
            for (const std::string& name : during) CHECK_MESSAGE(!contains(name, "proxel"), name, " is a thread of ours");
        }
        CHECK(pool.items_run() > 0);
    }
}

#ifdef __linux__
// It sees those that there are otherwise: the check above can fail.
TEST_CASE("threads of ours are seen") {
    Witness witness;
    proxel::Context context = NEED(proxel::Context::open(def_on(witness, true)));
    std::vector<std::string> during;
    ask(context, Patience::wait, &during);
    std::size_t ours = 0;
    for (const std::string& name : during) ours += contains(name, "proxel");
    CHECK(ours >= 3);
}
#endif

TEST_CASE("a pool that runs items while the caller goes on, and one that waits") {
    for (bool host : {true, false}) {
        const Answers truth = expected(host);
        for (bool waits : {false, true}) {
            Witness witness;
            PrxContextDef def = def_on(witness, host);
            JobPool pool(3);
            proxel::Context context = NEED(proxel::Context::open(waits ? pool.serve_and_wait(def) : pool.serve(def)));
            for (Patience patience : {Patience::wait, Patience::poll, Patience::limited}) CHECK(ask(context, patience) == truth);
        }
    }
}

/// Calls from several threads of the engine's, which its items compete with.
TEST_CASE("calls from the threads that run the items") {
    for (bool waits : {false, true}) {
        Witness witness;
        PrxContextDef def = def_on(witness, true);
        JobPool pool(2);
        proxel::Context context = NEED(proxel::Context::open(waits ? pool.serve_and_wait(def) : pool.serve(def)));
        const Answers truth = ask(context);
        std::atomic<int> wrong{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                for (int round = 0; round < 5; ++round) wrong += !(ask(context) == truth);
            });
        for (std::thread& thread : threads) thread.join();
        CHECK_EQ(wrong.load(), 0);
    }
}

struct Bad {
    const char* name;
    PrxRunJobsFn run;
};

const Bad bad_engines[] = {
    {"one after the other on the calling thread",
     [](void*, PrxJobFn job, void* data, std::uint32_t count) {
         for (std::uint32_t i = 0; i < count; ++i) job(data, i);
     }},
    {"backwards",
     [](void*, PrxJobFn job, void* data, std::uint32_t count) {
         for (std::uint32_t i = count; i-- > 0;) job(data, i);
     }},
    {"each twice", [](void*, PrxJobFn job, void* data,
                      std::uint32_t count) {
         for (std::uint32_t i = 0; i < 2 * count; ++i) job(data, i / 2);
     }},
    {"never", [](void*, PrxJobFn, void*, std::uint32_t) {}},
    {"only the last", [](void*, PrxJobFn job, void* data, std::uint32_t count) { job(data, count - 1); }},
    {"with indices and data that nobody gave",
     [](void*, PrxJobFn job, void* data, std::uint32_t count) {
         job(data, count);
         job(data, UINT32_MAX);
         job(nullptr, 0);
         job(reinterpret_cast<void*>(~std::uintptr_t{0}), 0);
         job(&count, 0);
     }},
    {"each twice at the same time",
     [](void*, PrxJobFn job, void* data, std::uint32_t count) {
         auto all = [=] {
             for (std::uint32_t i = 0; i < count; ++i) job(data, i);
         };
         std::thread other(all);
         all();
         other.join();
     }},
};

TEST_CASE("engines that do it wrong get the same answers") {
    for (bool host : {true, false}) {
        const Answers truth = expected(host);
        for (const Bad& bad : bad_engines) {
            CAPTURE(bad.name);
            Witness witness;
            PrxContextDef def = def_on(witness, host);
            def.run_jobs = bad.run;
            proxel::Context context = NEED(proxel::Context::open(def));
            for (Patience patience : {Patience::wait, Patience::poll, Patience::limited}) CHECK(ask(context, patience) == truth);
        }
    }
}

TEST_CASE("items that run after their call and after their context do nothing") {
    static std::vector<Item> kept;
    kept.clear();
    {
        Witness witness;
        PrxContextDef def = def_on(witness, true);
        def.run_jobs = [](void*, PrxJobFn job, void* data, std::uint32_t count) {
            for (std::uint32_t i = 0; i < count; ++i) kept.push_back({job, data, i});
        };
        proxel::Context context = NEED(proxel::Context::open(def));
        const Answers truth = ask(context);
        for (const Item& item : std::vector<Item>(kept)) item.run();
        CHECK(ask(context) == truth);
        // A bake that nobody has begun ends with its field, and with the context.
        const Shape shape = torus(24, 12);
        proxel::Mesh mesh = NEED(context.mesh(shape.positions, shape.triangles));
        PrxField left{0};
        CHECK_EQ(prx_field_bake(context.handle(), mesh.handle(), nullptr, &left), PRX_STATUS_OK);
        {
            proxel::Field cancelled = NEED(context.bake(mesh));
            NEED(cancelled.cancel());
            CHECK_REFUSED(cancelled.wait(), PRX_STATUS_CANCELLED, "cancelled");
        }
        NEED(context.bake(mesh));
        // Who waits for all does what nobody has begun.
        proxel::Batch batch = NEED(context.batch());
        NEED(batch.bounds(mesh));
        PrxTicket exact{0};
        CHECK_EQ(prx_batch_distance(batch.handle(), mesh.handle(), nullptr, mesh.handle(), nullptr, nullptr, &exact), PRX_STATUS_OK);
        NEED(batch.submit());
        NEED(context.wait_idle());
        CHECK(NEED(batch.poll()));
        // A batch that is in flight when the context goes.
        NEED(batch.submit());
        batch.release();
        mesh.release();
        context = proxel::Context();
        CHECK_EQ(witness.take().size(), 3u);
    }
    CHECK(kept.size() > 10);
    for (const Item& item : kept) item.run();
}

/// The handler of a cancel and of a time limit is the same for borrowed threads.
TEST_CASE("work on the engine's threads can be cancelled") {
    Witness witness;
    PrxContextDef def = def_on(witness, true);
    JobPool pool(2);
    proxel::Context context = NEED(proxel::Context::open(pool.serve(def)));
    const Shape ring = torus(48, 24);
    proxel::Mesh a = NEED(context.mesh(ring.positions, ring.triangles));
    NEED(context.set_time_limit(0));
    CHECK_REFUSED(a.self_pairs(), PRX_STATUS_CANCELLED, "time limit");
    NEED(context.set_time_limit(UINT64_MAX));
    CHECK_EQ(NEED(a.self_pairs()).size(), 0u);
}

}  // namespace
