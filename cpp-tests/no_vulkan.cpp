// A machine without a Vulkan loader, or with one but no driver: the argument says which status that gives. The test's
// environment makes it such a machine.
#include "witness.hpp"

using namespace test;

int main(int count, char** words) {
    if (!CHECK_EQ(count, 3)) return finish();
    auto context = proxel::Context::open();
    CHECK(!context);
    CHECK_EQ(std::string(prx_status_name(context.status())), std::string(words[1]));
    CHECK(contains(context.message(), words[2]));
    CHECK_EQ(std::string(prx_last_error(nullptr)), context.message());
    std::cout << context.message() << "\n";
    return finish();
}
