// What people type and what they get back: arguments, help, answers, times.
#include "tests/check.hpp"

#include "answer.hpp"
#include "failure.hpp"
#include "mesh/places.hpp"
#include "terminal/program.hpp"
#include "terminal/progress.hpp"
#include "terminal/spelling.hpp"
#include "terminal/timing.hpp"
#include "terminal/usage.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <random>

using namespace cli;

namespace {

template <class T> std::string json(const T& value) { return json_of(value).dump(); }

TEST_CASE("numbers come back bit by bit") {
    CHECK(json(0.1f) == "0.1");
    CHECK(json(0.1) == "0.1");
    CHECK(json(-0.0) == "-0.0");
    CHECK(json(std::numeric_limits<float>::quiet_NaN()) == "null");
    CHECK(json(std::numeric_limits<double>::infinity()) == "null");
    CHECK(json(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
    CHECK(json(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
    std::mt19937 random(3);
    for (int i = 0; i < 20000; ++i) {
        const float f = std::ldexp(static_cast<float>(random()) - 2e9f, static_cast<int>(random() % 200) - 130);
        CHECK(std::strtof(json(f).c_str(), nullptr) == f);
    }
}

TEST_CASE("answers are json") {
    CHECK(json(true) == "true");
    CHECK(json(std::uint8_t{7}) == "7");
    CHECK(json(Vec3{1, 2.5f, -3}) == "[1.0,2.5,-3.0]");
    const float row[2] = {0.5f, 2.0f};
    CHECK(json(row) == "[0.5,2.0]");
    CHECK(json(std::vector<std::array<std::uint32_t, 2>>{{1, 2}, {3, 4}}) == "[[1,2],[3,4]]");
    CHECK(json(std::vector<int>{}) == "[]");

    Answer answer;
    answer.add("distance", -0.25f);
    answer.add("closed", true);
    answer.add("kind", "none");
    answer.add_list("pairs", std::vector<std::array<int, 2>>{{1, 2}});
    answer.add("ms", 1.5, "ms");
    CHECK(answer.json() == "{\"distance\":-0.25,\"closed\":true,\"kind\":\"none\",\"pairs\":[[1,2]],\"ms\":1.5}\n");
    CHECK(answer.table() == "  distance  -0.25\n  closed    yes\n  kind      none\n  pairs     1: [[1, 2]]\n  ms        1.5 ms\n");
    Answer odd;
    odd.add("name", std::string("a\"b\n\xff")); // a file's name may be no text
    CHECK(Json::parse(odd.json()).at("name").get<std::string>().substr(0, 4) == "a\"b\n");
    Answer long_list;
    long_list.add_list("inside", std::vector<int>(100000, 1));
    CHECK(long_list.table().size() < 100);
    CHECK_CONTAINS(long_list.table(), "100000: [1, 1");
    CHECK(Answer{}.json() == "{}\n");
}

// A program with an option of every kind.
struct Dig {
    CLI::App app{"Dig a hole", "dig"};
    std::string where;
    std::vector<std::string> files;
    bool json = false;
    float depth = 1.5f;
    std::uint32_t repeats = 1;
    std::uint32_t tool = 2;
    Pose pose;
    float center[3] = {};

    Dig() {
        usage::operand(app, "WHERE", where, "the place");
        usage::operand(app, "FILE", files, "what to bury");
        usage::flag(app, "--json", json, "as JSON");
        usage::number(app, "--depth", depth, "X", "how deep, in metres", {-100, 100});
        usage::number(app, "--repeat", repeats, "N", "how often", {1});
        usage::choice(app, "--tool", tool, {{"spade", 2}, {"shovel", 5}}, "what with");
        usage::pose(app, "--pose-a", pose, "where A is");
        usage::floats(app, "--center", {&center[0], &center[1], &center[2]}, "X,Y,Z", "its centre");
        usage::notes(app, "The answer: a hole.", "dig here x --depth 3");
    }

    void parse(std::vector<std::string> words) {
        std::reverse(words.begin(), words.end()); // as CLI11 wants them
        app.parse(words);
    }
};

TEST_CASE("arguments are understood") {
    Dig dig;
    dig.parse({"here", "x", "--depth", "-2.5e1", "--json", "--repeat=3", "--tool", "shovel", "--center", "-1,2,3", "--", "--odd"});
    CHECK(dig.where == "here");
    CHECK(dig.files == std::vector<std::string>{"x", "--odd"});
    CHECK(dig.json);
    CHECK(dig.depth == -25.0f);
    CHECK(dig.repeats == 3);
    CHECK(dig.tool == 5);
    CHECK(dig.center[0] == -1.0f);
    CHECK(dig.center[2] == 3.0f);
    const Vec3 still = place(dig.pose, {1, 2, 3});
    CHECK(length(still - Vec3{1, 2, 3}) == 0.0f);

    // A quarter turn about z, typed twice as long as it should be.
    Dig turned;
    turned.parse({"here", "x", "--pose-a", "1,2,3,0,0,1.4142136,1.4142136"});
    CHECK_NEAR(length(place(turned.pose, {1, 0, 0}) - Vec3{1, 3, 3}), 0.0, 1e-6);
}

std::string refusal(const std::vector<std::string>& words) {
    try {
        Dig().parse(words);
    } catch (const CLI::ParseError& wrong) {
        return wrong.what();
    } catch (const WrongUsage& wrong) {
        return wrong.what();
    }
    return "no complaint";
}

TEST_CASE("wrong usage is explained") {
    CHECK(refusal({"a", "b", "c"}) == "no complaint");
    CHECK(refusal({"a", "b", "--depth", "deep"}) == "--depth takes a number from -100 to 100, not 'deep'.");
    CHECK(refusal({"a", "b", "--depth", "nan"}) == "--depth takes a number from -100 to 100, not 'nan'.");
    CHECK(refusal({"a", "b", "--depth", "101"}) == "--depth takes a number from -100 to 100, not '101'.");
    CHECK(refusal({"a", "b", "--repeat", "0"}) == "--repeat takes a whole number from 1 to 4294967295, not '0'.");
    CHECK(refusal({"a", "b", "--repeat", "2.5"}) == "--repeat takes a whole number from 1 to 4294967295, not '2.5'.");
    CHECK_CONTAINS(refusal({"a", "b", "--repeat", "4294967297"}), "to 4294967295, not '4294967297'");
    CHECK(refusal({"a", "b", "--tool", "shove"}) == "--tool takes spade or shovel, not 'shove'. Did you mean shovel?");
    for (const char* pose : {"1,2,3", "1,2,3,0,0,0,1,", "1,2,3,0,0,0,1,9", "1,2,3,0,0,zero,1", ",,,,,,"})
        CHECK_CONTAINS(refusal({"a", "b", "--pose-a", pose}), "--pose-a takes 7 numbers with commas between them");
    CHECK_CONTAINS(refusal({"a", "b", "--pose-a", "1,2,3,0,0,0,0"}), "is no rotation");
    CHECK(refusal({"a", "b", "--depth"}) != "no complaint");
    CHECK(refusal({"a", "b", "--depth", "1", "--depth", "2"}) != "no complaint");
}

TEST_CASE("help has units, defaults and an example") {
    const std::string page = Dig().app.help();
    CHECK_CONTAINS(page, "WHERE FILE...");
    for (const char* part : {"--depth X ", "how deep, in metres (default 1.5)", "how often (default 1)", "--tool spade|shovel",
                             "what with (default spade)", "(default identity)", "The answer: a hole.", "Example:\n  dig here x --depth 3"})
        CHECK_CONTAINS(page, part);
    CHECK(did_you_mean("infoo", {"info", "bake"}) == " Did you mean info?");
    CHECK(did_you_mean("x", {"-o"}).empty());
}

TEST_CASE("exit codes are 0, 1 and 2") {
    const auto code = [](std::vector<const char*> words, const std::function<void()>& body) {
        Dig dig;
        words.insert(words.begin(), "dig");
        return run_program(dig.app, static_cast<int>(words.size()), words.data(), body);
    };
    CHECK(code({"a", "b"}, [] {}) == 0);
    CHECK(code({"a", "b"}, [] { throw Failure("a stone."); }) == 1);
    CHECK(code({"a", "b"}, [] { throw std::bad_alloc(); }) == 1);
    CHECK(code({"a", "b"}, [] { throw WrongUsage("not there."); }) == 2);
    CHECK(code({"a"}, [] {}) == 2);
    CHECK(code({"a", "b", "--deep"}, [] {}) == 2);
    CHECK(code({}, [] {}) == 2);
}

TEST_CASE("lists of places") {
    const auto points = parse_points("# three\n0 0 0\n1,2,3\n\n -1e-3\t4 5 # the last\r\n", "p");
    CHECK((points.size() == 3 && points[1].z == 3.0f && points[2].y == 4.0f));
    const auto poses = parse_poses("1 2 3 0 0 0 2\n", "p");
    CHECK((poses.size() == 1 && poses[0].scalar == 1.0f && poses[0].translation.y == 2.0f));
    const auto complaint = [](auto parse, const char* text) {
        try {
            parse(text, "p");
        } catch (const Failure& failure) {
            return std::string(failure.what());
        }
        return std::string("no complaint");
    };
    CHECK_CONTAINS(complaint(parse_points, "0 0 0\n1 2\n"),
                   "p, line 2: expected a coordinate of a point, found nothing");
    CHECK_CONTAINS(complaint(parse_points, "0 0 0 4\n"), "more on the line than x y z");
    CHECK_CONTAINS(complaint(parse_points, ""), "no points");
    CHECK_CONTAINS(complaint(parse_poses, "1 2 3 0 0 0 0\n"), "no rotation");
}

TEST_CASE("times and bars") {
    CHECK(median({3.0, 1.0, 2.0}) == 2.0);
    CHECK(median({4.0, 1.0, 2.0, 3.0}) == 2.5);
    int calls = 0;
    CHECK(median_milliseconds(5, [&] { ++calls; }) >= 0.0);
    median_milliseconds(0, [&] { ++calls; });
    CHECK(calls == 6);
    CHECK(Progress::bar("baking", 0.0).size() == Progress::bar("baking", 1.0).size());
    CHECK_CONTAINS(Progress::bar("baking", 0.5), "50 %");
    CHECK_CONTAINS(Progress::bar("baking", 7.0), "100 %");
    CHECK_CONTAINS(Progress::bar("baking", std::numeric_limits<double>::quiet_NaN()), "  0 %");
}

} // namespace
