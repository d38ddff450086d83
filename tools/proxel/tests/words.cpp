// What people type and what they get back: arguments, help, answers, times.
#include "tests/check.hpp"

#include "answer.hpp"
#include "failure.hpp"
#include "mesh/places.hpp"
#include "terminal/arguments.hpp"
#include "terminal/help.hpp"
#include "terminal/progress.hpp"
#include "terminal/spelling.hpp"
#include "terminal/timing.hpp"

#include <cstdlib>
#include <limits>
#include <random>

using namespace cli;

namespace {

template <class T> std::string json(const T& value) {
    std::string out;
    append_json(out, value);
    return out;
}

void numbers_come_back_bit_by_bit() {
    CHECK(json(0.1f) == "0.1");
    CHECK(json(0.1) == "0.1");
    CHECK(json(-0.0) == "-0");
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

void answers_are_json() {
    CHECK(json(true) == "true");
    CHECK(json(std::uint8_t{7}) == "7");
    CHECK(json("a\"b\\c\n\x01\xc3\xa9") == "\"a\\\"b\\\\c\\u000a\\u0001\xc3\xa9\"");
    CHECK(json(Vec3{1, 2.5f, -3}) == "[1,2.5,-3]");
    CHECK(json(std::vector<std::array<std::uint32_t, 2>>{{1, 2}, {3, 4}}) == "[[1,2],[3,4]]");
    CHECK(json(std::vector<int>{}) == "[]");
    CHECK(json(std::vector<bool>{true, false}) == "[true,false]");

    Answer answer;
    answer.add("distance", -0.25f);
    answer.add("closed", true);
    answer.add_list("pairs", std::vector<std::array<int, 2>>{{1, 2}});
    answer.add("ms", 1.5, "ms");
    CHECK(answer.json() == "{\"distance\":-0.25,\"closed\":true,\"pairs\":[[1,2]],\"ms\":1.5}\n");
    CHECK(answer.table() == "  distance  -0.25\n  closed    yes\n  pairs     1: [[1, 2]]\n  ms        1.5 ms\n");
    Answer long_list;
    long_list.add_list("inside", std::vector<int>(100000, 1));
    CHECK(long_list.table().size() < 100);
    CHECK_CONTAINS(long_list.table(), "100000: [1, 1");
    CHECK(Answer{}.json() == "{}\n");
}

const Option depth{"--depth", "X", "how deep"};

Command example() {
    return {"dig",
            "Dig a hole",
            {{"WHERE", "the place"}, {"FILE", "what to bury", true}},
            {options::json, depth, options::repeat, options::pose_a},
            nullptr};
}

std::string refusal(const std::vector<std::string>& words) {
    try {
        const Arguments arguments(example(), words);
        arguments.number(depth, 0.0);
        arguments.whole(options::repeat, 1, 1);
        arguments.pose(options::pose_a);
    } catch (const WrongUsage& wrong) {
        return wrong.what();
    }
    return "no complaint";
}

void arguments_are_understood() {
    const Arguments a(example(), {"here", "--depth", "-2.5e1", "x", "--json", "--repeat=3", "--", "--odd", "--help"});
    CHECK(a.operands() == (std::vector<std::string>{"here", "x", "--odd", "--help"}));
    CHECK(a.has(options::json) && !a.has(options::pose_a) && !a.wants_help());
    CHECK(a.number(depth, 1.0) == -25.0);
    CHECK(a.whole(options::repeat, 1, 1) == 3);
    CHECK(Arguments(example(), {"--nonsense", "-h"}).wants_help());

    // A quarter turn about z, typed twice as long as it should be.
    const Pose pose =
        Arguments(example(), {"here", "x", "--pose-a", "1,2,3,0,0,1.4142136,1.4142136"}).pose(options::pose_a);
    const Vec3 moved = place(pose, {1, 0, 0});
    CHECK_NEAR(length(moved - Vec3{1, 3, 3}), 0.0, 1e-6);
    const Vec3 still = place(Arguments(example(), {"here", "x"}).pose(options::pose_a), {1, 2, 3});
    CHECK(still.x == 1.0f && still.y == 2.0f && still.z == 3.0f);
}

void wrong_usage_is_explained() {
    CHECK(refusal({"a", "b", "c"}) == "no complaint");
    CHECK(refusal({}) == "dig needs WHERE: the place.");
    CHECK(refusal({"a"}) == "dig needs FILE: what to bury.");
    CHECK(refusal({"a", "b", "--dept", "3"}) == "dig has no option --dept. Did you mean --depth?");
    CHECK(refusal({"a", "b", "--zzz"}) == "dig has no option --zzz.");
    CHECK(refusal({"a", "b", "--depth"}) == "--depth needs a value: X.");
    CHECK(refusal({"a", "b", "--depth", "deep"}) == "--depth takes a number, not 'deep'.");
    CHECK(refusal({"a", "b", "--depth", "nan"}) == "--depth takes a number, not 'nan'.");
    CHECK(refusal({"a", "b", "--depth", "1", "--depth", "2"}) == "--depth is given twice.");
    CHECK(refusal({"a", "b", "--json=yes"}) == "--json takes no value.");
    CHECK(refusal({"a", "b", "--repeat", "0"}) == "--repeat takes a whole number from 1 to 4294967295, not '0'.");
    CHECK(refusal({"a", "b", "--repeat", "2.5"}) == "--repeat takes a whole number from 1 to 4294967295, not '2.5'.");
    CHECK_CONTAINS(refusal({"a", "b", "--repeat", "4294967297"}), "to 4294967295, not '4294967297'");
    for (const char* pose : {"1,2,3", "1,2,3,0,0,0,1,", "1,2,3,0,0,0,1,9", "", "1,2,3,0,0,zero,1", ",,,,,,"}) {
        CHECK_CONTAINS(refusal({"a", "b", "--pose-a", pose}), "--pose-a takes 7 numbers with commas between them");
    }
    CHECK_CONTAINS(refusal({"a", "b", "--pose-a", "1,2,3,0,0,0,0"}), "is no rotation");
    Command strict = example();
    strict.options.push_back({"-o", "FILE", "the file to write", true});
    CHECK_CONTAINS(usage(strict), "dig WHERE FILE... -o FILE [options]");
    try {
        const Arguments lacking(strict, {"a", "b"});
        CHECK(false);
    } catch (const WrongUsage& wrong) {
        CHECK_CONTAINS(wrong.what(), "dig needs -o FILE: the file to write.");
    }
    Command one = example();
    one.operands.pop_back();
    try {
        const Arguments too_many(one, {"a", "b"});
        CHECK(false);
    } catch (const WrongUsage& wrong) {
        CHECK_CONTAINS(wrong.what(), "does not know what to do with 'b'");
    }
}

void help_names_everything() {
    const std::string page = help(example());
    CHECK_CONTAINS(page, "usage: proxel dig WHERE FILE... [options]");
    for (const Option& option : example().options)
        CHECK_CONTAINS(page, option.name + (option.value.empty() ? " " : " " + option.value));
    CHECK_CONTAINS(help(std::vector<Command>{example()}), "dig WHERE FILE...  Dig a hole");
    CHECK(did_you_mean("infoo", {"info", "bake"}) == " Did you mean info?");
    CHECK(did_you_mean("x", {"-o"}).empty());
}

void lists_of_places() {
    const auto points = parse_points("# three\n0 0 0\n1,2,3\n\n -1e-3\t4 5 # the last\r\n", "p");
    CHECK(points.size() == 3 && points[1].z == 3.0f && points[2].y == 4.0f);
    const auto poses = parse_poses("1 2 3 0 0 0 2\n", "p");
    CHECK(poses.size() == 1 && poses[0].scalar == 1.0f && poses[0].translation.y == 2.0f);
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

void times_and_bars() {
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

int main() {
    numbers_come_back_bit_by_bit();
    answers_are_json();
    arguments_are_understood();
    wrong_usage_is_explained();
    help_names_everything();
    lists_of_places();
    times_and_bars();
    return failures;
}
