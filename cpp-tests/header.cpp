// The header says the same to C99 and to C++17 as the library that was linked.
#include <proxel.h>
#include <proxel.hpp>

#include "test.hpp"

extern "C" uint32_t abi_version_in_c(void);

TEST_CASE("header") {
    CHECK_EQ(prx_abi_version(), static_cast<uint32_t>(PRX_ABI_VERSION));
    CHECK_EQ(abi_version_in_c(), prx_abi_version());
}
