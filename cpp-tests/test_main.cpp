// The main of every test program. A run that checked nothing has failed.
#define DOCTEST_CONFIG_IMPLEMENT
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS // drivers and sanitizers have handlers of their own
#include <doctest/doctest.h>

#include <cstdio>

namespace {

int checks = 0;

struct Counter : doctest::IReporter {
    explicit Counter(const doctest::ContextOptions&) {}
    void test_run_end(const doctest::TestRunStats& stats) override { checks = stats.numAsserts; }

    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_case_start(const doctest::TestCaseData&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("counter", 1, Counter);

}  // namespace

int main(int count, char** words) {
    doctest::Context context(count, words);
    const int code = context.run();
    if (context.shouldExit() || checks > 0) return code;
    std::fputs("nothing was checked\n", stderr);
    return 1;
}
