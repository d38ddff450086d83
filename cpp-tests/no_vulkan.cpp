// A machine without a Vulkan loader, or with one but no driver. CMakeLists.txt makes the environment such a machine, and runs
// the one case that is about it.
#include "witness.hpp"

#include <iostream>

using namespace test;

namespace {

void refused_with(PrxStatus status, const char* part) {
    auto context = proxel::Context::open();
    CHECK(!context);
    CHECK_REFUSED(context, status, part);
    CHECK_EQ(std::string(prx_last_error(nullptr)), context.message());
    std::cout << context.message() << "\n";
}

TEST_CASE("no loader") { refused_with(PRX_STATUS_NO_VULKAN, "no Vulkan loader"); }
TEST_CASE("no driver") { refused_with(PRX_STATUS_NO_DEVICE, "driver"); }

}  // namespace
