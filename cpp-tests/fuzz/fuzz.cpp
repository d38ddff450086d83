// Calls every function of proxel.h at random, from one thread and from several, and watches what comes back.
//
//   fuzz [SECONDS [SEED [CALLS]]]          rounds of CALLS calls, each from a seed of its own, until the time is over and every function has succeeded
//   fuzz --within SECONDS [SEED [CALLS]]   until the time is over, whatever has succeeded by then
//   fuzz --round SEED [CALLS]              that one round again, with every call
//
// Long rounds make more calls per second: a driver compiles kernels anew for every context.
// A finding prints the seed of its round, the call with its arguments and the calls before it.
#define DOCTEST_CONFIG_IMPLEMENT
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS
#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>
#include <thread>

#include "calls.hpp"
#include "patience.hpp"

namespace fuzz {

namespace {

/// Functions that cannot succeed here: nobody loads the library as Unity does, and memory was allocated before any call is drawn.
constexpr std::string_view never[] = {"prx_unity_context_create", "prx_set_allocator"};
int calls_a_round = 1000;
/// No call begins after this.
std::int64_t latest = std::numeric_limits<std::int64_t>::max();
/// Rounds after which every function must have succeeded.
constexpr std::uint64_t rounds_at_most = 40;
constexpr std::uint64_t most_memory = 6ull << 30;

std::vector<std::unique_ptr<Worker>> workers;
World* the_world = nullptr;

void print_all(std::ostream& out) {
    out << "fuzz --round " << the_world->seed << " " << calls_a_round << "\n";
    for (const auto& worker : workers) {
        const Call* call = worker->current;
        out << "a thread " << (call == nullptr ? "between calls" : "in ");
        if (call != nullptr) call->print(out);
        out << "  after\n";
        const std::size_t count = worker->history.size();
        for (std::size_t at = count > 12 ? count - 12 : 0; at < count; ++at) out << "    " << worker->history[at] << "\n";
    }
    out << std::flush;
}

struct sigaction before[32];

/// Says what was called, then leaves the signal to whoever had it before.
void on_signal(int signal, siginfo_t* info, void* context) {
    static std::atomic<bool> once{false};
    if (!once.exchange(true)) {
        std::cerr << "signal " << signal << "\n";
        print_all(std::cerr);
    }
    const struct sigaction& old = before[signal];
    if ((old.sa_flags & SA_SIGINFO) != 0 && old.sa_sigaction != nullptr) old.sa_sigaction(signal, info, context);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

/// Ends the program when a call does not return.
void watch(const std::atomic<bool>& over) {
    Patience patience;
    std::vector<Patience::Watched> calls(workers.size());
    while (!over) {
        patience.wait_a_turn();
        for (std::size_t i = 0; i < workers.size(); ++i) {
            const bool calling = workers[i]->current != nullptr;
            if (patience.ends(calls[i], calling ? workers[i]->started.load() : -Call::now())) {
                std::cerr << "a call does not return\n";
                std::abort();
            }
        }
        std::ifstream memory("/proc/self/statm");
        std::uint64_t pages = 0, resident = 0;
        memory >> pages >> resident;
        if (resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) > most_memory) {
            std::cerr << "more than " << most_memory << " bytes are in memory\n";
            std::abort();
        }
    }
}

bool ends(std::string_view text, std::string_view end) { return text.size() >= end.size() && text.substr(text.size() - end.size()) == end; }

bool can_succeed(const Function& function) { return std::find(std::begin(never), std::end(never), function.name) == std::end(never); }

/// How many objects of a kind there should be.
std::size_t enough(int kind) {
    if (kind == Kind<PrxContext*>::number) return 3;
    return kind == Kind<PrxTicket>::number ? 60 : 10;
}

/// Whether now is not the time for a function: enough is there, or it would take much away.
bool postponed(Worker& worker, const Function& function) {
    Pool& pool = worker.world.pool;
    const std::string_view name = function.name;
    if (name == "prx_context_destroy") return !worker.random.chance(pool.count(Kind<PrxContext*>::number) > 1 ? 0.03 : 0.003);
    // It compiles every kernel.
    if (name == "prx_context_warm_up") return !worker.random.chance(0.1);
    if (function.creates >= 0 && pool.count(function.creates) >= enough(function.creates)) return !worker.random.chance(0.01);
    if (ends(name, "_destroy") || ends(name, "_remove") || ends(name, "_reset")) return worker.random.chance(0.6);
    return ends(name, "_default") && worker.random.chance(0.9);
}

/// The function that records what `function` reads, when nothing of it is recorded yet; otherwise `function` itself.
const Function& first_of(Worker& worker, const Function& function) {
    for (const Function& other : functions)
        if (other.creates == Kind<PrxTicket>::number && Pool::reads(function.name, other.name) && !worker.world.pool.has_from(other.name)) return other;
    return function;
}

const Function& choose(Worker& worker) {
    // Now and then one that has succeeded seldom.
    if (worker.random.chance(0.25)) {
        std::vector<const Function*> all;
        for (const Function& function : functions)
            if (can_succeed(function)) all.push_back(&function);
        auto fewer = [&](const Function* a, const Function* b) {
            return worker.tallies[a->name].successes < worker.tallies[b->name].successes;
        };
        std::stable_sort(all.begin(), all.end(), fewer);
        return first_of(worker, *all[worker.random.below(16)]);
    }
    for (;;) {
        const Function& function = worker.random.of(functions);
        if (!postponed(worker, function)) return first_of(worker, function);
    }
}

/// One of everything, so that calls have something to work on.
void begin_round(Worker& worker) {
    for (const Function& function : functions) {
        const int copies = function.creates == Kind<PrxMesh>::number || function.creates == Kind<PrxField>::number ? 4 : 2;
        for (int i = 0; function.creates >= 0 && i < copies; ++i) {
            Call call(worker, function, true);
            function.run(call);
        }
    }
}

void end_round(World& world) {
    for (std::uint64_t bits : world.pool.all(Kind<PrxContext*>::number)) {
        PrxContext* context = nullptr;
        std::memcpy(&context, &bits, sizeof context);
        prx_context_destroy(context);
        world.pool.remove(bits, true);
        if (world.trace) std::cout << "destroyed a context after " << Call::now() << " ms\n";
    }
    world.clear();
}

void round(World& world, std::uint64_t seed, std::map<std::string_view, Tally>& total) {
    world.seed = seed;
    Random random(seed);
    const int threads = random.chance(0.5) ? 1 : 4;
    workers.clear();
    for (int i = 0; i < threads; ++i) workers.push_back(std::make_unique<Worker>(world, random.bits()));
    std::atomic<bool> over{false};
    std::thread watcher([&] { watch(over); });
    begin_round(*workers[0]);
    std::vector<std::thread> running;
    for (auto& worker : workers) {
        running.emplace_back([&worker, threads] {
            for (int i = 0; i < calls_a_round / threads && Call::now() < latest; ++i) {
                Call call(*worker, choose(*worker), worker->random.chance(0.5));
                call.function.run(call);
            }
        });
    }
    for (std::thread& thread : running) thread.join();
    end_round(world);
    over = true;
    watcher.join();
    for (const auto& worker : workers) {
        for (const auto& [name, tally] : worker->tallies) {
            Tally& sum = total[name];
            sum.calls += tally.calls;
            sum.successes += tally.successes;
            sum.slowest = std::max(sum.slowest, tally.slowest);
            sum.total += tally.total;
        }
    }
}

/// Whether every function has succeeded at least once.
bool complete(const std::map<std::string_view, Tally>& total) {
    for (const Function& function : functions) {
        const auto found = total.find(function.name);
        if (can_succeed(function) && (found == total.end() || found->second.successes == 0)) return false;
    }
    return true;
}

void report(const std::map<std::string_view, Tally>& total, bool each) {
    std::uint64_t calls = 0, work = 0;
    std::vector<std::string_view> missed;
    for (const Function& function : functions) {
        const auto found = total.find(function.name);
        const Tally tally = found == total.end() ? Tally{} : found->second;
        if (each)
            std::cout << std::left << std::setw(36) << function.name << std::right << std::setw(9) << tally.calls << std::setw(9)
                      << tally.successes << std::fixed << std::setprecision(2) << std::setw(9) << tally.total << " s, at most"
                      << std::setw(7) << tally.slowest << " s\n";
        calls += tally.calls;
        work += function.fails ? tally.successes : 0;
        if (can_succeed(function) && tally.successes == 0) missed.push_back(function.name);
    }
    std::cout << calls << " calls, " << work << " of them did work; " << missed.size() << " of " << std::size(functions)
              << " functions never with success\n";
    for (std::string_view name : missed) std::cout << "  " << name;
    std::cout << "\n";
}

}  // namespace

void World::tell(const Call& call) {
    static const std::int64_t begin = Call::now();
    std::lock_guard<std::mutex> lock(mutex_);
    std::cout << Call::now() - begin << " ms: ";
    call.print(std::cout);
}

void World::find(const Call& call, const std::string& what) {
    std::lock_guard<std::mutex> lock(mutex_);
    // Numbers differ from case to case.
    std::string kind = std::string(call.function.name) + " " + what.substr(0, 60);
    kind.erase(std::remove_if(kind.begin(), kind.end(), [](unsigned char c) { return std::isdigit(c) != 0; }), kind.end());
    if (!found_.insert(kind).second) return;
    std::cerr << "FOUND: " << call.function.name << ": " << what << "\n";
    call.print(std::cerr);
    print_all(std::cerr);
}

}  // namespace fuzz

int main(int argc, char** argv) {
    using namespace fuzz;
    std::vector<std::string> words(argv + 1, argv + argc);
    const bool once = !words.empty() && words[0] == "--round";
    const bool within = !words.empty() && words[0] == "--within";
    if (within) words.erase(words.begin());
    const std::int64_t seconds = once || words.empty() ? 60 : std::stoll(words[0]);
    const std::uint64_t first = words.size() > 1 ? std::stoull(words[1]) : 1;
    if (words.size() > 2) calls_a_round = std::stoi(words[2]);
    // The engines' own checks: without a device there is nothing to do.
    doctest::Context checks;
    checks.setAsDefaultForAssertsOutOfTestCases();
    checks.setAssertHandler([](const doctest::AssertData& data) {
        if (!data.m_failed) return;
        std::cerr << data.m_file << ":" << data.m_line << ": " << data.m_expr << "\n";
        std::exit(1);
    });
    World world;
    the_world = &world;
    world.trace = once;
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO;
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, &before[signal]);

    std::map<std::string_view, Tally> total;
    const std::int64_t end = Call::now() + 1000 * seconds;
    if (within) latest = end;
    std::uint64_t rounds = 0;
    do {
        round(world, first + rounds, total);
        ++rounds;
    } while (!once && (Call::now() < end || (!within && !complete(total) && rounds < rounds_at_most)));
    report(total, !within);
    const bool all = complete(total);
    std::cout << rounds << " rounds from seed " << first << ", " << world.findings() << " findings\n";
    return world.findings() == 0 && (all || once || within) ? 0 : 1;
}
