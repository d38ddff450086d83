// The contestant's end of the benchmark protocol (benches/README.md) for C++.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace contest {

// The `key=value` words of the command line.
class Arguments {
public:
    Arguments(int count, char** words) {
        for (int i = 1; i < count; ++i) {
            std::string word = words[i];
            auto split = word.find('=');
            if (split != std::string::npos) values_[word.substr(0, split)] = word.substr(split + 1);
        }
    }
    std::string text(const std::string& key) const {
        auto found = values_.find(key);
        if (found == values_.end()) throw std::runtime_error("the argument " + key + "= is missing");
        return found->second;
    }
    std::string text(const std::string& key, const std::string& otherwise) const {
        return values_.count(key) ? values_.at(key) : otherwise;
    }
    long number(const std::string& key) const { return std::stol(text(key)); }
    long number(const std::string& key, long otherwise) const { return values_.count(key) ? number(key) : otherwise; }

private:
    std::map<std::string, std::string> values_;
};

// One turn's input: the same for all contestants of a round.
struct Turn {
    long round;
    double fraction;  // in [0, 1), filling it evenly over the rounds
};

// One turn's result.
struct Sample {
    double seconds;
    std::vector<double> answer = {};
    long calls = 1;
    std::string extra = {};  // further members of the JSON object, kept in the report
};

inline std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return out + "\"";
}

// Seconds on the wall, or, when the driver was told --cpu, those that the process has spent on all its threads.
inline double now() {
    static const bool cpu = std::getenv("BENCH_CPU") != nullptr;
    timespec time{};
    clock_gettime(cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

// Time of one call.
template <class Work>
double seconds_of(Work&& work) {
    const double begin = now();
    work();
    return now() - begin;
}

// Times many calls, for work too short to be timed by the turn; a few more go first, untimed.
template <class Work>
std::vector<double> sorted_times(long calls, Work&& work) {
    std::vector<double> times;
    for (long i = -std::max(calls / 10, 1L); i < calls; ++i) {
        double seconds = seconds_of(work);
        if (i >= 0) times.push_back(seconds);
    }
    std::sort(times.begin(), times.end());
    return times;
}

// The median of many calls: what a caller waits.
template <class Work>
Sample median_of(long calls, Work&& work) {
    return {sorted_times(calls, work)[calls / 2], {}, calls, {}};
}

// The shortest of many calls: what the work costs when no one takes the processor away. Where threads wait for one
// another, a busy machine turns a median into a multiple of the scheduler's time slice.
template <class Work>
Sample shortest_of(long calls, Work&& work) {
    return {sorted_times(calls, work)[0], {}, calls, {}};
}

// Runs `work` in a child forked before anything was initialised, so that it starts cold, and returns what it gives.
inline double in_fresh_process(const std::function<double()>& work) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("pipe() failed");
    pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork() failed");
    if (child == 0) {
        double result = -1.0;
        try {
            result = work();
        } catch (const std::exception& problem) {
            std::cerr << problem.what() << std::endl;
        }
        bool sent = write(ends[1], &result, sizeof result) == sizeof result;
        _exit(sent ? 0 : 1);
    }
    close(ends[1]);
    double result = -1.0;
    bool received = read(ends[0], &result, sizeof result) == sizeof result;
    close(ends[0]);
    waitpid(child, nullptr, 0);
    if (!received || result < 0) throw std::runtime_error("the fresh process failed, its message is on stderr");
    return result;
}

inline void reply(const Sample& sample) {
    std::ostringstream line;
    line.precision(17);
    line << "{\"seconds\": " << sample.seconds << ", \"calls\": " << sample.calls;
    if (!sample.answer.empty()) {
        line << ", \"answer\": [";
        for (size_t i = 0; i < sample.answer.size(); ++i) line << (i ? ", " : "") << sample.answer[i];
        line << "]";
    }
    if (!sample.extra.empty()) line << ", " << sample.extra;
    std::cout << line.str() << "}" << std::endl;
}

// Says who is ready, then answers turns until the input ends.
inline void compete(const std::string& about, const std::function<Sample(const Turn&)>& work) {
    std::cout << "{\"ready\": true, \"about\": " << quoted(about) << "}" << std::endl;
    Turn turn;
    while (std::cin >> turn.round >> turn.fraction) reply(work(turn));
}

// main() of a contestant: a thrown exception becomes the protocol's error line.
inline int main(int count, char** words, const std::function<void(const Arguments&)>& body) {
    try {
        body(Arguments(count, words));
        return 0;
    } catch (const std::exception& problem) {
        std::cout << "{\"error\": " << quoted(problem.what()) << "}" << std::endl;
        return 1;
    }
}

}  // namespace contest
